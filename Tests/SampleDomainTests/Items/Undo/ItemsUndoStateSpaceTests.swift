import Foundation
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Undo and redo in every state that a few items can reach, alone and next to another program.
@Suite("Items, undo and redo in every state of a small list")
struct ItemsUndoStateSpaceTests {
    @Test(
        "Alone, undo and redo go through the list as it was, step by step",
        arguments: [
            Start(items: [.sample(1), .sample(2, completed: 1)], depth: 4),
            // No room between the orders, so that moving renumbers.
            Start(items: narrow, depth: 3),
        ])
    private func alone(start: Start) {
        let report = StateSpace.explore(
            from: Alone(start.items),
            actions: \.commands,
            depth: start.depth,
            invariants: Alone.invariants,
            reduce: { $0.carryOut($1) }
        )

        #expect(report.cut == .depth)
    }

    @Test(
        "Beside somebody else, undo takes back nothing that the other has done",
        arguments: [Start(items: [.sample(1)], depth: 4), Start(items: narrow, depth: 3)])
    private func beside(start: Start) {
        let report = StateSpace.explore(
            from: Beside(start.items),
            actions: \.events,
            depth: start.depth,
            invariants: Beside.invariants,
            reduce: { $0.take($1) }
        )

        #expect(report.cut == .depth)
    }

    @Test("The reducer is pure in undoing, too", arguments: 0..<4 as Range<UInt64>)
    func purity(seed: UInt64) {
        expectPure(from: Items.State(loaded: narrow), seed: seed) { state, generator in
            let number = 10 + state.history.done.count
            let actions: [Items.State.Action?] = [
                state.list.active.randomElement(using: &generator).map { .moved($0.id, to: 1, at: noon) },
                state.list.active.randomElement(using: &generator).map { .completed([$0.id], at: noon) },
                state.list.all.randomElement(using: &generator).map { .deleted([$0.id]) },
                .added(.sample(number), title: "new", .end, at: noon), .stepped(.sample(number)),
                state.history.done.last.map { .undone($0.id, at: noon) },
                state.history.undone.last.map { .redone($0.id, at: noon) },
            ]
            return actions.compactMap(\.self).randomElement(using: &generator) ?? .draftDropped
        }
    }
}

private struct Start: CustomTestStringConvertible {
    let items: [Item]
    let depth: Int

    var testDescription: String { "\(items.count) items, to depth \(depth)" }
}

private let narrow: [Item] = [.sample(1, order: 1), .sample(2, order: 2), .sample(3, order: 3)]

/// The visible contents of a list, without the dates of change.
private func contents(of list: Items.List) -> [Item] {
    list.all.map { item in item.with { $0.updated = .distantPast } }
}

extension [Item] {
    fileprivate func after(_ changes: [ItemChange]) -> [Item] {
        var items = Dictionary(uniqueKeysWithValues: map { ($0.id, $0) })
        for change in changes { items[change.id] = change.applied(to: items[change.id]) }
        return items.values.sorted { $0.id < $1.id }
    }
}

extension Items.State {
    /// Carries out a command as the editor does, if the rules allow it.
    fileprivate mutating func carryOut(_ command: Items.Command, id: Item.ID, step: ItemsStep.ID) -> Items.Outcome? {
        guard let decision = try? decide(command, at: noon, newID: id) else { return nil }
        for action in decision.actions { reduce(action) }
        if decision.isStep { reduce(.stepped(step)) }
        return decision.outcome(list)
    }

    fileprivate func hash(into hasher: inout Hasher) {
        for item in list.all {
            hasher.combine(item.id)
            hasher.combine(item.title)
            hasher.combine(item.order)
            hasher.combine(item.completed)
        }
        hasher.combine(history.done.count)
        hasher.combine(history.undone.count)
    }
}

// MARK: - Alone

/// A list and, as a model of its history, its earlier versions.
private struct Alone: Hashable {
    let items: [Item]
    private(set) var state: Items.State
    private(set) var past: [[Item]] = []
    private(set) var present: [Item]
    private(set) var future: [[Item]] = []
    private(set) var wasOvertaken = false
    private var lastID = 0

    static let invariants: [StateSpace.Invariant<Alone>] = [
        .init("the list is as it was at that step") { contents(of: $0.state.list) == $0.present },
        .init("there is as much to undo as was done") { $0.state.history.done.count == $0.past.count },
        .init("there is as much to redo as was undone") { $0.state.history.undone.count == $0.future.count },
        .init("what is to be saved makes of what was read what is on the list") { alone in
            Items.List(alone.items.after(alone.state.unsavedChanges)) == alone.state.list
        },
        .init("nothing is found to be changed by others") { !$0.wasOvertaken },
    ]

    init(_ items: [Item]) {
        self.items = items
        state = Items.State(loaded: items)
        present = contents(of: state.list)
    }

    func hash(into hasher: inout Hasher) {
        state.hash(into: &hasher)
        hasher.combine(past.count)
    }

    var commands: [Items.Command] {
        var commands: [Items.Command] = [.undo, .redo, .add(title: "new", .top)]
        for item in state.list.all {
            let id = Items.Reference.id(item.id)
            commands += item.isActive ? [.rename(id, title: "b"), .complete([id]), .delete([id])] : [.reopen([id])]
            if item.isActive { commands += [.move(id, position: 1), .move(id, position: 2)] }
        }
        commands.append(.delete(state.list.all.map { .id($0.id) }))
        commands.append(.complete(state.list.active.map { .id($0.id) }))
        return commands
    }

    mutating func carryOut(_ command: Items.Command) {
        let number = lastID + 1
        guard let outcome = state.carryOut(command, id: .sample(10 + number), step: .sample(number)) else { return }
        switch outcome {
        case .undone(let reversal):
            wasOvertaken = reversal.overtaken > 0
            future.append(present)
            present = past.popLast() ?? []
        case .redone(let reversal):
            wasOvertaken = reversal.overtaken > 0
            past.append(present)
            present = future.popLast() ?? []
        default:
            let now = contents(of: state.list)
            if now == present { break }
            lastID = number
            past.append(present)
            (present, future) = (now, [])
        }
    }
}

// MARK: - Next to another program

/// A list that another program changes too. The other's changes are recognizable by their values, which nobody here
/// writes.
private struct Beside: Hashable {
    enum Event: Hashable {
        case add, undo, redo
        case rename(Item.ID), complete(Item.ID), move(Item.ID), delete(Item.ID)
        case theirAdd, theirRename(Item.ID), theirComplete(Item.ID), theirMove(Item.ID), theirDelete(Item.ID)
    }

    private static let theirTitle = "theirs"
    private static let theirDate = noon.addingTimeInterval(-5)
    private static let theirOrders: Set = [7, 1_501]

    private(set) var state: Items.State
    private(set) var deleted: Set<Item.ID> = []
    private(set) var offence: String?
    private var clock = 0

    static let invariants: [StateSpace.Invariant<Beside>] = [
        .init("undo leaves what the other has done, and moves one item at most") { $0.offence == nil },
        .init("what the other has deleted stays away") { beside in
            beside.deleted.allSatisfy { beside.state.list[$0] == nil }
        },
        .init("everything is saved") { !$0.state.hasUnsavedChanges },
    ]

    init(_ items: [Item]) {
        state = Items.State(loaded: items, revision: 0)
    }

    func hash(into hasher: inout Hasher) {
        state.hash(into: &hasher)
        hasher.combine(deleted)
    }

    var events: [Event] {
        let active = state.list.active.map(\.id)
        var events: [Event] = [.undo, .redo, .add, .theirAdd]
        for id in active.prefix(2) { events += [.rename(id), .complete(id), .delete(id)] }
        for id in active.suffix(2) { events.append(.move(id)) }
        for id in active.prefix(3) { events += [.theirComplete(id), .theirMove(id), .theirDelete(id)] }
        for item in state.list.all.prefix(3) { events.append(.theirRename(item.id)) }
        return events
    }

    mutating func take(_ event: Event) {
        clock += 1
        let before = state.list
        switch event {
        case .add: carryOut(.add(title: "new", .end))
        case .undo:
            carryOut(.undo)
            offence = Self.offence(from: before, to: state.list)
        case .redo: carryOut(.redo)
        case .rename(let id): carryOut(.rename(.id(id), title: "mine"))
        case .complete(let id): carryOut(.complete([.id(id)]))
        // There may be no room between the first two, in which case all are renumbered.
        case .move(let id): carryOut(.move(.id(id), position: 2))
        case .delete(let id): carryOut(.delete([.id(id)]))
        case .theirAdd:
            let item = Item.sample(50 + clock, title: Self.theirTitle, order: 1_501)
            change { $0.append(item) }
        case .theirRename(let id): change(id) { $0.title = Self.theirTitle }
        case .theirComplete(let id): change(id) { $0.completed = Self.theirDate }
        case .theirMove(let id): change(id) { $0.order = 7 }
        case .theirDelete(let id):
            deleted.insert(id)
            change { $0.removeAll { $0.id == id } }
        }
    }

    /// Carries out a command and marks it as saved, so that nothing unsaved restores what the other program deletes.
    private mutating func carryOut(_ command: Items.Command) {
        _ = state.carryOut(command, id: .sample(10 + clock), step: .sample(clock))
        state.reduce(.saved(state.unsavedChanges, ItemsSnapshot(items: state.list.all, revision: clock)))
    }

    private mutating func change(_ id: Item.ID, _ change: (inout Item) -> Void) {
        self.change { items in items = items.map { $0.id == id ? $0.with(change) : $0 } }
    }

    private mutating func change(_ change: (inout [Item]) -> Void) {
        var items = state.list.all
        change(&items)
        state.reduce(.changedElsewhere(ItemsSnapshot(items: items, revision: clock)))
    }

    /// The violation of a rule by undo, or nil.
    private static func offence(from before: Items.List, to after: Items.List) -> String? {
        for item in before.all {
            let now = after[item.id]
            if item.title == theirTitle, now?.title != theirTitle { return "their title is gone" }
            if item.completed == theirDate, now?.completed != theirDate { return "their completion is gone" }
            if theirOrders.contains(item.order), let now, now.order != item.order { return "their place is gone" }
            if item.isCompleted, let now, now.title != item.title { return "a completed item was edited" }
        }
        let common = before.active.map(\.id).filter { after[$0]?.isActive == true }
        let now = after.active.map(\.id).filter { common.contains($0) }
        let isOneMoved = common.contains { id in common.filter { $0 != id } == now.filter { $0 != id } }
        return isOneMoved || common.isEmpty ? nil : "more than one item was moved"
    }
}
