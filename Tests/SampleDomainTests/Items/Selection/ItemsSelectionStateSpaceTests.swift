import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The selection in every state that a few items can reach.
@Suite("Items, every selection of a small list")
struct ItemsSelectionStateSpaceTests {
    @Test("What is selected is shown, in ranges that are sorted and don't touch, whatever happens")
    func rules() {
        let report = StateSpace.explore(
            from: Situation(),
            actions: { _ in Situation.actions },
            depth: 4,
            invariants: Situation.invariants,
            reduce: { $0.reduce($1) }
        )

        #expect(report.cut == .depth)
    }
}

/// A list with a changing selection, and what the last action did.
private struct Situation: Hashable {
    private(set) var state = Items.State(
        loaded: [.sample(1), .sample(2), .sample(3), .sample(4, title: "Other"), .sample(5, completed: 1)])
    private var offence: String?

    func hash(into hasher: inout Hasher) {
        hasher.combine(state.list.all.map(\.id))
        hasher.combine(state.selection.ids)
        hasher.combine(state.selection.anchor)
        hasher.combine(state.selection.cursor)
        hasher.combine(state.filter)
    }

    static let actions: [Items.State.Action] = {
        let ids = (1...6).map(Item.ID.sample)
        var actions: [Items.State.Action] = [
            .selected(.all), .selected(.none), .filtered("item"), .filtered(""), .moved(ids[0], to: 3, at: noon),
            .completed([ids[1]], at: noon), .deleted([ids[2]]), .deleted([ids[0], ids[3]]),
            .added(ids[5], title: "Item", .top, at: noon),
            .changedElsewhere(ItemsSnapshot(items: [.sample(2), .sample(5)], revision: 2)),
        ]
        for count in [-2, -1, 1] {
            for isExtending in [false, true] { actions.append(.selected(.stepped(by: count, extending: isExtending))) }
        }
        actions.append(.selected(.ranged(from: ids[1], to: ids[3])))
        for id in [ids[0], ids[2], ids[4]] {
            actions += [.selected(.picked(id)), .selected(.extended(to: id)), .selected(.toggled(id))]
        }
        return actions
    }()

    mutating func reduce(_ action: Items.State.Action) {
        let before = state
        state.reduce(action)
        // Saving has an exploration of its own. Here it would only multiply the states.
        (state.openStep, state.bases) = ([:], [:])
        offence = Self.offence(of: action, from: before, to: state)
    }

    static let invariants: [StateSpace.Invariant<Situation>] = [
        .init("only items that are shown are selected") { situation in
            situation.state.selection.ids.isSubset(of: situation.state.shown.all.map(\.id))
        },
        .init("what is shown is what the filter leaves of the list") { situation in
            situation.state.shown == situation.state.filter.narrowed(situation.state.list)
        },
        .init("anchor and cursor are shown") { situation in
            let shown = situation.state.shown.all.map(\.id)
            return [situation.state.selection.anchor, situation.state.selection.cursor].allSatisfy { end in
                end.map(shown.contains) ?? true
            }
        },
        .init("ranges are sorted, not empty, and don't touch") { situation in
            let ranges = situation.state.selection.ranges(in: situation.state.shown.all)
            return ranges.allSatisfy { !$0.isEmpty }
                && zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
        },
        .init("ranges are what is selected") { situation in
            let shown = situation.state.shown.all
            let covered = situation.state.selection.ranges(in: shown).flatMap { shown[$0].map(\.id) }
            return covered == shown.map(\.id).filter(situation.state.selection.contains)
                && Set(covered) == situation.state.selection.ids
        },
        .init("an action does what it says, and nothing else") { $0.offence == nil },
    ]

    /// The violation of a rule by an action, or nil.
    private static func offence(
        of action: Items.State.Action, from before: Items.State, to after: Items.State
    ) -> String? {
        let (former, now) = (before.selection.ids, after.selection.ids)
        guard case .selected(let choice) = action else {
            let staying = former.intersection(after.shown.all.map(\.id))
            return now == staying ? nil : "the selection doesn't go with its items"
        }
        if before.list != after.list { return "the list was changed" }
        switch choice {
        case .toggled(let id) where before.shown.all.contains { $0.id == id }:
            return now == former.symmetricDifference([id]) ? nil : "others were toggled"
        case .picked(let id) where before.shown.all.contains { $0.id == id }:
            return now == [id] ? nil : "others are selected"
        case .extended(let id) where before.shown.all.contains { $0.id == id }:
            let shown = before.shown.all.map(\.id)
            guard let anchor = before.selection.anchor ?? Optional(id), let start = shown.firstIndex(of: anchor),
                let end = shown.firstIndex(of: id)
            else { return "the anchor isn't shown" }
            if after.selection.anchor != anchor { return "the anchor has moved" }
            return now.isSuperset(of: shown[min(start, end)...max(start, end)]) ? nil : "the range has holes"
        case .ranged(let start, let end)
        where before.shown.all.contains { $0.id == start } && before.shown.all.contains { $0.id == end }:
            return now.contains(end) && after.selection.cursor == end ? nil : "its end isn't selected"
        case .all: return now == Set(before.shown.all.map(\.id)) ? nil : "not all are selected"
        case .none: return now.isEmpty ? nil : "some are selected"
        case .toggled, .picked, .extended, .ranged, .stepped: return nil
        }
    }
}
