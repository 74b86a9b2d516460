import Foundation
import GRDB
import Relux
import ReluxPersistence

/// Keeps data in a table of a database, one row for each key.
///
/// Each function is one transaction. If several processes write to the database, set the `busyMode` of its
/// configuration to a time limit. Without one, a save fails when another process is writing at that moment.
struct DatabaseStorage: Relux.Storage {
    private struct Saved: Codable, FetchableRecord, PersistableRecord {
        let key: Data
        let data: Data
    }

    private let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) throws {
        try database.write { db in
            try db.create(table: Saved.databaseTableName, options: .ifNotExists) { table in
                table.primaryKey("key", .blob)
                table.column("data", .blob).notNull()
            }
        }
        self.database = database
    }

    func read(_ key: String) async throws -> Data? {
        try await database.read { try Saved.fetchOne($0, key: bytes(of: key))?.data }
    }

    func keys() async throws -> [String] {
        try await database.read { try Saved.select(Column("key"), as: Data.self).fetchAll($0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
        try await database.write { db in
            let old = try keys.reduce(into: [:]) { $0[$1] = try Saved.fetchOne(db, key: bytes(of: $1))?.data }
            var new = old
            try change(&new)
            for key in keys where new[key] != old[key] {
                if let data = new[key] {
                    try Saved(key: bytes(of: key), data: data).save(db)
                } else {
                    try Saved.deleteOne(db, key: bytes(of: key))
                }
            }
        }
    }

    /// The same bytes for strings that Swift considers equal. A column of text would end at a zero character.
    private func bytes(of key: String) -> Data { Data(key.precomposedStringWithCanonicalMapping.utf8) }
}
