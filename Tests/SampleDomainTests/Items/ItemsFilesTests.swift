import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

/// Two stores on one folder, as in two programs.
@Suite(.timeLimit(.minutes(10))) struct ItemsFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(watches: Bool) async throws -> Relux.Store {
        let path = folder.path
        return try await Relux.Store {
            Items.Module(service: FileItemsService(folder: path), watchesElsewhere: watches)
        }
    }

    @Test func `two stores work on one list and lose nothing`() async throws {
        let stores = [try await store(watches: false), try await store(watches: true)]

        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                let store = stores[number % 2]
                group.addTask { _ = try await store.perform(Items.Command.add(title: "\(number)", .end)) }
            }
            try await group.waitForAll()
        }
        for store in stores { try await store.idle() }

        let expected = Set((0..<40).map { "\($0)" })
        #expect(try await Set(FileItemsService(folder: folder.path).load().items.map(\.title)) == expected)
        for store in stores {
            try await store.perform(Items.Effect.load)
            let state = try await store.state(of: Items.State.self)
            #expect(Set(state.list.all.map(\.title)) == expected)
            #expect(!state.hasUnsavedChanges)
        }
    }

    @Test func `what one store does shows in the other`() async throws {
        let (mine, theirs) = (try await store(watches: true), try await store(watches: false))
        try await mine.perform(Items.Effect.load)

        try await theirs.perform(Items.Command.add(title: "Theirs", .end))
        var titles = mine.values(of: Items.State.self) { $0.list.all.map(\.title) }.makeAsyncIterator()
        var seen = await titles.next()
        while seen?.isEmpty == true { seen = await titles.next() }

        #expect(seen == ["Theirs"])
    }

    @Test func `a list damaged while the program runs keeps the change on screen until it is repaired`() async throws {
        let store = try await store(watches: false)
        try await store.perform(Items.Command.add(title: "A", .end))
        try await store.idle()
        let good = try folder.read()

        try folder.write("broken")
        try await store.perform(Items.Command.add(title: "B", .end))
        try await store.idle()
        let failed = try await store.state(of: Items.State.self)
        let untouched = try folder.read()
        try folder.write(good)
        try await store.perform(Items.Effect.save)
        let saved = try await store.state(of: Items.State.self)

        #expect(failed.saving.failure?.line == 1)
        #expect(failed.list.all.map(\.title) == ["A", "B"])
        #expect(untouched == "broken")
        #expect(!saved.hasUnsavedChanges)
        #expect(try await FileItemsService(folder: folder.path).load().items.map(\.title) == ["A", "B"])
    }
}
