import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsStateReduceTests {
    private let loaded = Items.State(loaded: [.sample(1), .sample(2), .sample(3, completed: 5)])

    @Test func `reading fills the list, without unsaved changes`() {
        var state = Items.State()

        state.reduce(Items.Effect.load)
        #expect(state.loading == .running)
        state.reduce(.loaded(ItemsSnapshot(items: [.sample(1)], revision: 1)))

        #expect(state.isLoaded)
        #expect(state.loading == .idle)
        #expect(state.list.titles == ["Item 1"])
        #expect(!state.hasUnsavedChanges)
    }

    @Test func `a failed read keeps what is on the list`() {
        let error = StorageError(.invalidUTF8, file: "f", line: 2)

        let state = loaded.after(.loadFailed(error))

        #expect(state.loading == .failed(error))
        #expect(state.list == loaded.list)
        #expect(state.isLoaded)
    }

    @Test func `a cancelled read is not running`() {
        var state = Items.State()
        state.reduce(Items.Effect.load)

        state.reduce(.loadCancelled)

        #expect(state == Items.State())
    }

    @Test func `an added item is trimmed, dated, and unsaved`() {
        let state = loaded.after(.added(.sample(9), title: " \n New one\t", .end, at: noon))

        let item = Item(id: .sample(9), title: "New one", order: 3_000, created: noon, updated: noon)
        #expect(state.list.active.last == item)
        #expect(state.unsavedChanges == [.insert(item)])
    }

    @Test(arguments: ["", "  ", "\n\t \u{3000}"])
    func `a blank title adds nothing`(title: String) {
        let state = loaded.after(.added(.sample(9), title: title, .end, at: noon))

        #expect(state == loaded)
    }

    @Test func `a completed item moves down, dated and unsaved`() {
        let state = loaded.after(.completed([.sample(1)], at: noon))

        let item = Item.sample(1).with { ($0.completed, $0.updated) = (noon, noon) }
        #expect(state.list.titles == ["Item 2", "Item 1", "Item 3"])
        #expect(state.unsavedChanges == [.update(from: .sample(1), to: item)])
    }

    @Test func `a reopened item returns to the position given by its order`() {
        let state = Items.State(loaded: [.sample(1), .sample(2, completed: 5), .sample(3)])
            .after(.reopened([.sample(2)], at: noon))

        #expect(state.list.titles == ["Item 1", "Item 2", "Item 3"])
        #expect(state.list[.sample(2)] == .sample(2).with { $0.updated = noon })
    }

    @Test func `a renamed item is trimmed, dated, and unsaved`() {
        let state = loaded.after(.renamed(.sample(2), title: " Other ", at: noon))

        let item = Item.sample(2, title: "Other").with { $0.updated = noon }
        #expect(state.list[.sample(2)] == item)
        #expect(state.unsavedChanges == [.update(from: .sample(2), to: item)])
    }

    @Test func `an item renamed to an empty title is deleted`() {
        let state = loaded.after(.renamed(.sample(2), title: " \t", at: noon))

        #expect(state.list.titles == ["Item 1", "Item 3"])
        #expect(state.unsavedChanges == [.delete(.sample(2))])
    }

    @Test func `deleted items are removed, including completed ones`() {
        let state = loaded.after(.deleted([.sample(3), .sample(1), .sample(7)]))

        #expect(state.list.titles == ["Item 2"])
        #expect(state.unsavedChanges == [.delete(.sample(1)), .delete(.sample(3))])
    }

    @Test(arguments: [
        Items.State.Action.renamed(.sample(3), title: "Other", at: noon), .renamed(.sample(3), title: "", at: noon),
        .moved(.sample(3), to: 0, at: noon), .completed([.sample(3)], at: noon), .reopened([.sample(1)], at: noon),
        .renamed(.sample(7), title: "Other", at: noon), .deleted([.sample(7)]), .draftEdited("x"),
        .draftCommitted(at: noon),
    ])
    func `what the rules don't allow changes nothing`(action: Items.State.Action) {
        let state = loaded.after(action)

        #expect(state == loaded)
    }

    @Test func `several changes of one item are one change to save, relative to what is stored`() {
        let state = loaded.after(
            .renamed(.sample(1), title: "A", at: .sample(50)),
            .moved(.sample(1), to: 1, at: .sample(60)),
            .completed([.sample(1)], at: noon)
        )

        let item = Item.sample(1, title: "A", order: 3_000).with { ($0.completed, $0.updated) = (noon, noon) }
        #expect(state.unsavedChanges == [.update(from: .sample(1), to: item)])
    }

    @Test func `renumbered items are unsaved too`() {
        let state = Items.State(loaded: [.sample(1, order: 1), .sample(2, order: 2), .sample(3, order: 3)])
            .after(.moved(.sample(3), to: 1, at: noon))

        #expect(state.unsavedChanges.map(\.id) == [.sample(1), .sample(3), .sample(2)])
    }

    @Test func `a draft isn't on any list and is never saved`() {
        let draft = Items.Draft(id: .sample(9), placement: .top)

        let state = loaded.after(.draftStarted(draft), .draftEdited("Half a ti"))

        #expect(state.draft == Items.Draft(id: .sample(9), placement: .top, title: "Half a ti"))
        #expect(state.list == loaded.list)
        #expect(!state.hasUnsavedChanges)
    }

    @Test func `a committed draft becomes an item`() {
        let state = loaded.after(
            .draftStarted(Items.Draft(id: .sample(9), placement: .top)), .draftEdited(" A title "),
            .draftCommitted(at: noon)
        )

        let item = Item(id: .sample(9), title: "A title", order: 0, created: noon, updated: noon)
        #expect(state.draft == nil)
        #expect(state.list.active.first == item)
        #expect(state.unsavedChanges == [.insert(item)])
    }

    @Test func `a blank draft that is committed, and one that is dropped, leave nothing`() {
        let started = loaded.after(.draftStarted(Items.Draft(id: .sample(9), placement: .end)))

        #expect(started.after(.draftEdited("  "), .draftCommitted(at: noon)) == loaded)
        #expect(started.after(.draftEdited("A title"), .draftDropped) == loaded)
    }

    @Test func `a draft with a title isn't replaced by another one`() {
        let state = loaded.after(
            .draftStarted(Items.Draft(id: .sample(9), placement: .end)), .draftEdited("A title"),
            .draftStarted(Items.Draft(id: .sample(10), placement: .end))
        )

        #expect(state.draft?.id == .sample(9))
    }

    @Test func `a failure elsewhere is shown until the next change that can be read`() {
        let error = StorageError(.invalidUTF8, file: "f", line: 2)

        let failed = loaded.after(.elsewhereFailed(error))
        let mended = failed.after(.changedElsewhere(ItemsSnapshot(items: [], revision: 2)))

        #expect(failed.elsewhereFailure == error)
        #expect(mended.elsewhereFailure == nil)
    }
}
