import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsStateDecideTests {
    private let loaded = Items.State(loaded: [.sample(1), .sample(2), .sample(3, completed: 5), .sample(0x11)])

    /// Decides a command, reduces its actions, and returns the outcome.
    private func carryOut(_ command: Items.Command, in state: inout Items.State) throws(ItemsError) -> Items.Outcome {
        let decision = try state.decide(command, at: noon, newID: .sample(9))
        for action in decision.actions { state.reduce(action) }
        return decision.outcome(state.list)
    }

    private func carryOut(_ command: Items.Command) throws(ItemsError) -> Items.Outcome {
        var state = loaded
        return try carryOut(command, in: &state)
    }

    @Test func `adding returns the new item`() throws {
        let outcome = try carryOut(.add(title: " New ", .top))

        #expect(outcome == .added(Item(id: .sample(9), title: "New", order: 0, created: noon, updated: noon)))
    }

    @Test func `adding a blank title returns that it was dropped`() throws {
        #expect(try carryOut(.add(title: "  ", .end)) == .dropped)
    }

    @Test func `a draft is started, written, and committed`() throws {
        var state = loaded

        let begun = try carryOut(.startDraft(.end), in: &state)
        state.reduce(.draftEdited("Title"))
        let committed = try carryOut(.commitDraft, in: &state)
        let again = try carryOut(.commitDraft, in: &state)

        #expect(try !loaded.decide(.startDraft(.end), at: noon, newID: .sample(9)).changesList)
        #expect(begun == .drafted(Items.Draft(id: .sample(9), placement: .end)))
        #expect(committed == .added(Item(id: .sample(9), title: "Title", order: 18_000, created: noon, updated: noon)))
        #expect(again == .dropped)
    }

    @Test func `starting a draft commits the previous one`() throws {
        var state = loaded.after(.draftStarted(Items.Draft(id: .sample(8), placement: .end)), .draftEdited("Before"))

        _ = try carryOut(.startDraft(.top), in: &state)

        #expect(state.list[.sample(8)]?.title == "Before")
        #expect(state.draft == Items.Draft(id: .sample(9), placement: .top))
    }

    @Test func `completing and reopening return the current items, each once`() throws {
        let completed = try carryOut(.complete([.id(.sample(2)), .id(.sample(1)), .id(.sample(2))]))
        let reopened = try carryOut(.reopen([.id(.sample(3))]))

        #expect(
            completed
                == .changed([2, 1].map { Item.sample($0).with { ($0.completed, $0.updated) = (noon, noon) } })
        )
        #expect(reopened == .changed([.sample(3).with { $0.updated = noon }]))
    }

    @Test func `renaming returns the item, and renaming to an empty title what was deleted`() throws {
        #expect(
            try carryOut(.rename(.id(.sample(1)), title: "A"))
                == .changed([.sample(1, title: "A").with { $0.updated = noon }]))
        #expect(try carryOut(.rename(.id(.sample(1)), title: " ")) == .deleted([.sample(1)]))
    }

    @Test func `positions start at 1`() throws {
        let first = try carryOut(.move(.id(.sample(2)), position: 1))
        let last = try carryOut(.move(.id(.sample(1)), position: 3))
        let same = try carryOut(.move(.id(.sample(1)), position: 1))

        #expect(first == .changed([.sample(2, order: 0).with { $0.updated = noon }]))
        #expect(last == .changed([.sample(1, order: 18_000).with { $0.updated = noon }]))
        #expect(same == .changed([.sample(1)]))
    }

    @Test(arguments: [0, 4, -1, .max, .min])
    func `a position that doesn't exist is an error`(position: Int) {
        #expect(throws: ItemsError.noPosition(position, count: 3)) {
            try carryOut(.move(.id(.sample(1)), position: position))
        }
    }

    @Test(arguments: [
        Items.Command.complete([.id(.sample(1)), .id(.sample(3))]), .rename(.id(.sample(3)), title: "A"),
        .rename(.id(.sample(3)), title: ""), .move(.id(.sample(3)), position: 1),
    ])
    func `a completed item can't be moved, renamed, or completed`(command: Items.Command) {
        #expect(throws: ItemsError.completed(.sample(3, completed: 5))) { try carryOut(command) }
    }

    @Test func `an active item can't be reopened`() {
        #expect(throws: ItemsError.active(.sample(1))) { try carryOut(.reopen([.id(.sample(3)), .id(.sample(1))])) }
    }

    @Test func `deleting returns what was deleted, including completed items`() throws {
        #expect(
            try carryOut(.delete([.id(.sample(3)), .id(.sample(1))]))
                == .deleted([.sample(3, completed: 5), .sample(1)]))
    }

    @Test func `an item that doesn't exist is an error, and nothing is decided for the others`() {
        #expect(throws: ItemsError.unknown("7777")) { try carryOut(.delete([.id(.sample(1)), "7777"])) }
    }
}
