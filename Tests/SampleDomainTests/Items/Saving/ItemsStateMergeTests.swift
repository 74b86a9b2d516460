import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsStateMergeTests {
    private let loaded = Items.State(loaded: [.sample(1), .sample(2)])

    private func snapshot(_ revision: Int, _ items: Item...) -> ItemsSnapshot {
        snapshot(revision, items)
    }

    private func snapshot(_ revision: Int, _ items: [Item]) -> ItemsSnapshot {
        ItemsSnapshot(items: items, revision: revision)
    }

    @Test func `what was saved is no longer unsaved`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon), .deleted([.sample(2)]))
        let stored = snapshot(2, changed.list.all[0])

        let state = changed.after(.saveStarted, .saved(changed.unsavedChanges, stored))

        #expect(state.saving == .idle)
        #expect(!state.hasUnsavedChanges)
        #expect(state.list == changed.list)
    }

    @Test func `a failed save keeps the change on the list, unsaved, for the next one`() {
        let error = StorageError(.diskFull, file: "f")
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.saveStarted, .saveFailed(error))

        #expect(state.saving == .failed(error))
        #expect(state.list == changed.list)
        #expect(state.isUnsaved(.sample(1)) && !state.isUnsaved(.sample(2)))
        #expect(state.unsavedChanges == changed.unsavedChanges)
        #expect(state.after(.saveStarted).saving == .running)
    }

    @Test func `a cancelled save leaves its changes unsaved`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.saveStarted, .saveCancelled)

        #expect(state == changed)
    }

    @Test func `what is changed during a save stays unsaved, relative to what was saved`() {
        let first = loaded.after(.renamed(.sample(1), title: "A", at: .sample(50)))
        let saved = first.list.all[0]
        let second = first.after(.saveStarted, .renamed(.sample(1), title: "B", at: noon))

        let state = second.after(.saved(first.unsavedChanges, snapshot(2, saved, .sample(2))))

        #expect(state.list.titles == ["B", "Item 2"])
        #expect(state.unsavedChanges == [.update(from: saved, to: saved.with { ($0.title, $0.updated) = ("B", noon) })])
    }

    @Test func `what is added, and deleted during its save, stays deleted, and the next save deletes it`() {
        let first = loaded.after(.added(.sample(9), title: "New", .end, at: noon))
        let second = first.after(.saveStarted, .deleted([.sample(9)]))

        let state = second.after(.saved(first.unsavedChanges, snapshot(2, .sample(1), .sample(2), first.list.all[2])))

        #expect(state.list.titles == ["Item 1", "Item 2"])
        #expect(state.unsavedChanges == [.delete(.sample(9))])
    }

    @Test func `changes made elsewhere that a save encounters are shown`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.saved(changed.unsavedChanges, snapshot(2, changed.list.all[0], .sample(7))))

        #expect(state.list.titles == ["A", "Item 7"])
        #expect(!state.hasUnsavedChanges)
    }

    @Test func `a list read while there are unsaved changes keeps them`() {
        let changed = loaded.after(
            .renamed(.sample(1), title: "A", at: noon), .deleted([.sample(2)]),
            .added(.sample(9), title: "New", .end, at: noon)
        )

        let state = changed.after(.loaded(snapshot(2, .sample(1), .sample(2), .sample(7))))

        #expect(state.list.titles == ["A", "New", "Item 7"])
        #expect(state.unsavedChanges == changed.unsavedChanges)
    }

    @Test func `if an item is changed here and elsewhere, both changes are shown, and mine is still unsaved`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))
        let theirs = Item.sample(1, order: 9_000).with { $0.updated = .sample(70) }

        let state = changed.after(.changedElsewhere(snapshot(2, theirs, .sample(2))))

        let both = theirs.with { ($0.title, $0.updated) = ("A", noon) }
        #expect(state.list.all == [.sample(2), both])
        #expect(state.unsavedChanges == [.update(from: theirs, to: both)])
    }

    @Test func `an item changed here and deleted elsewhere is kept, as a new one`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.changedElsewhere(snapshot(2, .sample(2))))

        #expect(state.list.titles == ["A", "Item 2"])
        #expect(state.unsavedChanges == [.insert(changed.list.all[0])])
    }

    @Test func `an item deleted here and changed elsewhere stays deleted`() {
        let changed = loaded.after(.deleted([.sample(1)]))

        let state = changed.after(.changedElsewhere(snapshot(2, .sample(1, title: "Theirs"), .sample(2))))

        #expect(state.list.titles == ["Item 2"])
        #expect(state.unsavedChanges == [.delete(.sample(1))])
    }

    @Test func `a change that the service turns out to have is no longer unsaved`() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.loaded(snapshot(2, changed.list.all[0], .sample(2))))

        #expect(!state.hasUnsavedChanges)
    }

    // Found by the simulation of two front ends: the answer to a save was lost, a report from elsewhere showed that it
    // had succeeded, and the state kept the failure of a save that nobody could retry, because nothing was left to
    // save.
    @Test("A failed save is resolved once the service turns out to have everything that was unsaved")
    func failureOfASaveThatSucceeded() {
        let error = StorageError(.diskFull, file: "f")
        let one = loaded.after(.renamed(.sample(1), title: "A", at: noon))
        let both = one.after(.renamed(.sample(2), title: "B", at: noon))

        let settled = one.after(.saveStarted, .saveFailed(error), .changedElsewhere(snapshot(2, one.list.all)))
        let halfway = both.after(.saveStarted, .saveFailed(error), .changedElsewhere(snapshot(2, one.list.all)))

        #expect(settled.saving == .idle && !settled.hasUnsavedChanges)
        #expect(halfway.saving == .failed(error) && halfway.isUnsaved(.sample(2)))
    }

    @Test("Reports from elsewhere don't end a save that is under way")
    func newsDuringASave() {
        let changed = loaded.after(.renamed(.sample(1), title: "A", at: noon))

        let state = changed.after(.saveStarted, .changedElsewhere(snapshot(2, changed.list.all)))

        #expect(state.saving == .running)
    }

    @Test func `an older snapshot that arrives late is ignored`() {
        let newer = loaded.after(.changedElsewhere(snapshot(5, .sample(1), .sample(2), .sample(3))))

        let state = newer.after(.loaded(snapshot(4, .sample(1))))

        #expect(state.list == newer.list)
    }

    @Test func `the success of a save counts even if a newer snapshot has overtaken it`() {
        let changed = loaded.after(.added(.sample(9), title: "New", .end, at: noon))
        let item = changed.list.all[2]
        let overtaken = changed.after(.changedElsewhere(snapshot(3, .sample(1), item.with { $0.title = "Theirs" })))

        let state = overtaken.after(.saved(changed.unsavedChanges, snapshot(2, .sample(1), .sample(2), item)))

        #expect(state.list.all == [.sample(1), item])
        #expect(!state.hasUnsavedChanges)
    }
}
