import Foundation
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The rules of the list, in every state that a few items can reach.
@Suite("Items, every state of a small list")
struct ItemsStateSpaceTests {
    @Test(
        "Every rule of the list holds, whatever happens in whatever order",
        arguments: [
            Start(items: [], depth: 5),
            // No room between the orders, and two items with the same one. Moving and adding renumber here.
            Start(
                items: [.sample(1, order: 1), .sample(2, order: 2), .sample(3, order: 2, completed: 1)],
                depth: 4),
        ])
    private func rules(start: Start) {
        let report = StateSpace.explore(
            from: Situation(start.items),
            actions: \.actions,
            depth: start.depth,
            invariants: Situation.invariants,
            reduce: { $0.reduce($1) }
        )

        #expect(report.depth == start.depth)
        #expect(report.cut == .depth)
    }

    @Test("The reducer is pure", arguments: 0..<4 as Range<UInt64>)
    func purity(seed: UInt64) {
        expectPure(from: Items.State(), seed: seed) { state, generator in
            Situation(state).actions.randomElement(using: &generator) ?? .draftDropped
        }
    }
}

private struct Start: CustomTestStringConvertible {
    let items: [Item]
    let depth: Int

    var testDescription: String { "\(items.count) items, to depth \(depth)" }
}

/// A list, its stored version, and what is under way to the service.
private struct Situation: Hashable {
    private(set) var state: Items.State
    private var stored: [Item]
    private var sent: [ItemChange]?
    /// The violation of a rule by the last action, or nil.
    private var offence: String?

    init(_ items: [Item]) {
        (state, stored) = (Items.State(loaded: items), items)
    }

    init(_ state: Items.State) {
        (self.state, stored) = (state, [])
    }

    func hash(into hasher: inout Hasher) {
        for item in state.list.all {
            hasher.combine(item.id)
            hasher.combine(item.title)
            hasher.combine(item.order)
            hasher.combine(item.completed)
        }
        hasher.combine(state.draft?.title)
        hasher.combine(state.bases.count)
        hasher.combine(stored.count)
        hasher.combine(sent?.count)
    }
}

// MARK: - Possible actions

extension Situation {
    private static let ids = (1...3).map(Item.ID.sample)
    private static let failure = StorageError(.diskFull, file: "list")

    /// All possible actions: everything that users do, including the impossible, and the answers of the service.
    var actions: [Items.State.Action] {
        users + drafts + service
    }

    private var users: [Items.State.Action] {
        let (ids, now, later) = (Self.ids, now, later)
        var actions: [Items.State.Action] = [
            .completed(ids, at: later), .reopened(ids, at: now), .deleted([ids[1], ids[0]]),
        ]
        for id in ids {
            actions += [
                .completed([id], at: later), .reopened([id], at: now), .deleted([id]),
                .renamed(id, title: " b ", at: now), .renamed(id, title: "\n", at: now),
                .moved(id, to: -1, at: now), .moved(id, to: 1, at: now), .moved(id, to: 9, at: now),
            ]
        }
        if let new = ids.first(where: isNew) {
            actions += [
                .added(new, title: "a ", .end, at: now), .added(new, title: "a", .top, at: now),
                .added(new, title: " \t", .end, at: now),
            ]
        }
        return actions
    }

    private var drafts: [Items.State.Action] {
        let actions: [Items.State.Action] = [
            .draftEdited(" d"), .draftEdited("  "), .draftCommitted(at: now), .draftDropped,
        ]
        let new = Items.Draft(id: .sample(4), placement: .top)
        return isNew(new.id) ? actions + [.draftStarted(new)] : actions
    }

    /// Whether an id is unused.
    private func isNew(_ id: Item.ID) -> Bool {
        !state.list.all.contains { $0.id == id } && !stored.contains { $0.id == id } && !state.isUnsaved(id)
    }

    private var service: [Items.State.Action] {
        let snapshot = ItemsSnapshot(items: stored, revision: 1)
        guard let sent else { return [.saveStarted, .loaded(snapshot)] }
        return [.saved(sent, snapshot.after(sent)), .saveFailed(Self.failure), .loaded(snapshot)]
    }

    /// The date of the last change. Time stands still as long as that makes no difference, to keep the number of states
    /// small.
    private var now: Date {
        (state.list.all + stored).reduce(noon) { max($0, $1.updated) }
    }

    /// A date after every completion.
    private var later: Date { now.addingTimeInterval(1) }

    mutating func reduce(_ action: Items.State.Action) {
        let before = state
        state.reduce(action)
        // Steps have an exploration of their own. Here they would only multiply the states.
        state.openStep = [:]
        switch action {
        case .saveStarted: sent = before.unsavedChanges
        case .saved(_, let snapshot): (sent, stored) = (nil, snapshot.items)
        case .saveFailed: sent = nil
        default: break
        }
        offence = Self.offence(of: action, from: before.list, to: state.list)
    }
}

extension ItemsSnapshot {
    fileprivate func after(_ changes: [ItemChange]) -> ItemsSnapshot {
        var items = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        for change in changes { items[change.id] = change.applied(to: items[change.id]) }
        return ItemsSnapshot(items: items.values.sorted { $0.id < $1.id }, revision: revision)
    }
}

// MARK: - Invariants

extension Situation {
    static let invariants: [StateSpace.Invariant<Situation>] = [
        .init("active items stand above completed ones") {
            $0.state.list.all.drop(while: \.isActive).allSatisfy(\.isCompleted)
        },
        .init("active items stand in their order, and by date of creation and id where that is the same") {
            isAscending($0.state.list.active) { ($0.order, $0.created, $0.id) < ($1.order, $1.created, $1.id) }
        },
        .init("completed items stand with the latest first") {
            isAscending($0.state.list.completed) { ($0.completed ?? noon) >= ($1.completed ?? noon) }
        },
        .init("every item is there once") {
            Set($0.state.list.all.map(\.id)).count == $0.state.list.count
        },
        .init("no title is blank, or has white space around it") {
            $0.state.list.all.allSatisfy { !$0.title.isEmpty && $0.title == $0.title.titleTrimmed }
        },
        .init("no draft is on the list, or to be saved") { situation in
            guard let id = situation.state.draft?.id else { return true }
            return situation.state.list[id] == nil && !situation.state.isUnsaved(id)
        },
        .init("what is to be saved makes of what is stored what is on the list") { situation in
            let snapshot = ItemsSnapshot(items: situation.stored, revision: 1)
            return Items.List(snapshot.after(situation.state.unsavedChanges).items) == situation.state.list
        },
        .init("an action does what it says, and nothing else") { $0.offence == nil },
    ]

    private static func isAscending(_ items: [Item], _ standsBefore: (Item, Item) -> Bool) -> Bool {
        zip(items, items.dropFirst()).allSatisfy(standsBefore)
    }

    /// The violation of a rule by an action, or nil.
    private static func offence(
        of action: Items.State.Action, from before: Items.List, to after: Items.List
    ) -> String? {
        let subjects = action.subjects
        for item in before.completed {
            guard let now = after[item.id] else { continue }
            if now.isCompleted, now != item { return "\(item.title) is completed, and was changed" }
            if now.isActive, (now.title, now.order) != (item.title, item.order) {
                return "\(item.title) was changed by reopening it"
            }
        }
        if subjects.isEmpty, after != before { return "the list was changed" }
        if before.all.contains(where: { after[$0.id] == nil && !subjects.contains($0.id) }) { return "others are gone" }
        let others = (before: before.active.map(\.id), after: after.active.map(\.id))
        if others.before.filter({ !subjects.contains($0) }) != others.after.filter({ !subjects.contains($0) }) {
            return "others were moved, added or taken away"
        }
        switch action {
        case .moved(let id, let index, _):
            guard let source = before.active.firstIndex(where: { $0.id == id }) else { break }
            var expected = before.active.map(\.id)
            expected.insert(expected.remove(at: source), at: min(max(index, 0), expected.count))
            if after.active.map(\.id) != expected { return "it stands elsewhere" }
            let orders = after.active.map(\.order)
            if others.before != others.after, orders.filter({ $0 == after[id]?.order }).count > 1 {
                return "it shares its order"
            }
        case .added(let id, let title, let placement, _) where !title.titleTrimmed.isEmpty:
            let end = placement == .top ? after.active.first : after.active.last
            if end?.id != id { return "it isn't where it was put" }
            if after.active.filter({ $0.order == end?.order }).count > 1 { return "it shares its order" }
        case .completed(let ids, _):
            let completed = before.active.filter { ids.contains($0.id) }
            if !completed.allSatisfy({ item in after.completed.prefix(completed.count).contains { $0.id == item.id } })
            {
                return "others were completed later"
            }
        case .deleted(let ids):
            if ids.contains(where: { after[$0] != nil }) { return "it is still there" }
        default:
            break
        }
        return nil
    }
}

extension Items.State.Action {
    /// The items that the action affects, or the draft when it ends.
    fileprivate var subjects: [Item.ID] {
        switch self {
        case .added(let id, _, _, _), .renamed(let id, _, _), .moved(let id, _, _): [id]
        case .completed(let ids, _), .reopened(let ids, _), .deleted(let ids): ids
        case .draftCommitted: [.sample(4)]
        default: []
        }
    }
}
