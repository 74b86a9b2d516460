import GRDB
import Relux

/// Books that are in a database. Effects write to it, and the state follows what it says.
enum Shelf {
    struct Book: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable, Sendable {
        let id: Int
        var title: String
    }

    struct State: Relux.State, Hashable {
        var books: [Book] = []

        enum Action: Relux.Action, Hashable { case changed([Book]) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .changed(let books): self.books = books
            }
        }
    }

    enum Effect: Relux.Effect, Hashable { case add(Book), remove(Book.ID) }

    /// Writes to the database, and dispatches nothing.
    struct Writer: Relux.Saga {
        let database: any DatabaseWriter

        /// In the order of the effects: a removal must not come before its addition.
        func policy(for effect: Effect) -> Relux.Policy { .serial }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            try await database.write { db in
                switch effect {
                case .add(let book): try book.insert(db)
                case .remove(let id): _ = try Book.deleteOne(db, key: id)
                }
            }
        }
    }

    /// Dispatches the books whenever they change in the database, no matter who has changed them.
    struct Reader: Relux.Watcher {
        let database: any DatabaseWriter

        func watch(in context: Relux.SagaContext) async throws {
            let books = ValueObservation.tracking { try Book.order(Column("title")).fetchAll($0) }
            for try await books in books.values(in: database, bufferingPolicy: .bufferingNewest(1)) {
                await context.dispatch(State.Action.changed(books))
            }
        }
    }

    struct Module: Relux.Module {
        let database: any DatabaseWriter

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Writer(database: database)] }
        var watchers: [any Relux.Watcher] { [Reader(database: database)] }
    }

    /// Creates the table. Call it before the module is registered.
    static func prepare(_ database: any DatabaseWriter) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("books") { db in
            try db.create(table: Book.databaseTableName) { table in
                table.primaryKey("id", .integer)
                table.column("title", .text).notNull()
            }
        }
        try migrator.migrate(database)
    }
}
