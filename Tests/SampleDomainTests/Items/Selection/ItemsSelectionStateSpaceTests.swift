import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The selection in every state that a few items can reach.
@Suite("Items, every selection of a small list")
struct ItemsSelectionStateSpaceTests {
    @Test("What is selected is shown, and changes only as the user or the list does, whatever happens")
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
        hasher.combine(state.selection.range?.anchor)
        hasher.combine(state.selection.range?.end)
        hasher.combine(state.filter)
    }

    static let actions: [Items.State.Action] = {
        let ids = (1...6).map(Item.ID.sample)
        var actions: [Items.State.Action] = [
            .selected(.none), .filtered("item"), .filtered(""), .moved(ids[0], to: 3, at: noon),
            .completed([ids[1]], at: noon), .deleted([ids[2]]), .deleted([ids[0], ids[3]]),
            .added(ids[5], title: "Item", .top, at: noon),
            .changedElsewhere(ItemsSnapshot(items: [.sample(2), .sample(5)], revision: 2)),
        ]
        for id in [ids[0], ids[2], ids[4]] {
            actions += [.selected(.toggled(id)), .selected(.ranged(from: ids[1], to: id))]
            actions.append(.selected(.ranged(from: id, to: ids[3])))
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
        case .ranged(let start, let end)
        where before.shown.all.contains { $0.id == start } && before.shown.all.contains { $0.id == end }:
            let shown = before.shown.all.map(\.id)
            // The last range continues if this one starts at its end.
            let continues = before.selection.range?.end == start && former.contains(start)
            let anchor = continues ? before.selection.range?.anchor : start
            guard let first = anchor.flatMap(shown.firstIndex), let last = shown.firstIndex(of: end) else {
                return "the anchor isn't shown"
            }
            if after.selection.range != Items.Selection.Span(anchor: shown[first], end: end) {
                return "the range is another one"
            }
            if !continues, !now.isSuperset(of: former) { return "a new range has deselected something" }
            return now.isSuperset(of: shown[min(first, last)...max(first, last)]) ? nil : "the range has holes"
        case .none: return after.selection == Items.Selection() ? nil : "some are selected"
        case .toggled, .ranged: return now == former ? nil : "something that isn't shown was selected"
        }
    }
}
