import GRDB
import Relux
import ReluxTesting
import Testing

@testable import SQLite

@Suite("Shelf", .timeLimit(.minutes(1)))
struct ShelfTests {
    private let database: DatabaseQueue
    private let emma = Shelf.Book(id: 1, title: "Emma")
    private let dracula = Shelf.Book(id: 2, title: "Dracula")

    init() throws {
        database = try DatabaseQueue()
        try Shelf.prepare(database)
    }

    @Test("the state follows every write to the database, and each write is seen once")
    func observation() async throws {
        let store = try await TestStore { [database] in Shelf.Module(database: database) }
        await store.receive(Shelf.State.Action.changed([]), within: .seconds(30))

        await store.dispatch(Shelf.Effect.add(emma))
        await store.receive(Shelf.State.Action.changed([emma]), within: .seconds(30)) { (shelf: inout Shelf.State) in
            shelf.books = [emma]
        }
        try await database.write { try dracula.insert($0) }
        await store.receive(.changed([dracula, emma]), in: Shelf.State.self, within: .seconds(30)) { shelf in
            shelf.books = [dracula, emma]
        }

        await store.finish()
    }

    @Test("a write that fails is the error of the caller, and the state stays as it is")
    func failure() async throws {
        let store = try await Relux.Store { [database] in Shelf.Module(database: database) }
        try await store.call(Shelf.Effect.add(emma))
        let state = try await store.wait(until: Shelf.State.self) { $0.books == [emma] }

        await #expect(throws: DatabaseError.self) { try await store.call(Shelf.Effect.add(emma)) }

        #expect(try await store.state(of: Shelf.State.self) == state)
    }
}
