import Foundation
import GRDB
import Relux
import ReluxPersistence
import Testing

@testable import SQLite

@Suite("A storage in a database", .timeLimit(.minutes(1)))
struct DatabaseStorageTests {
    private enum Draft {
        struct State: Relux.State, Codable, Hashable {
            var text = ""

            enum Action: Relux.Action { case typed(String) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .typed(let text): self.text += text
                }
            }
        }

        struct Module: Relux.Module {
            let storage: any Relux.Storage

            var states: [any Relux.State] { [State()] }
            var persistence: [any Relux.StatePersistence] { [Relux.Saved(State.self, as: "draft", in: storage)] }
        }
    }

    @Test("a store starts with what another one has saved")
    func restart() async throws {
        let storage = try DatabaseStorage(DatabaseQueue())
        let old = try await Relux.Store { Draft.Module(storage: storage) }
        await old.dispatch(Draft.State.Action.typed("Dear Ann"))
        try await old.saved()

        let new = try await Relux.Store { Draft.Module(storage: storage) }

        #expect(try await new.state(of: Draft.State.self).text == "Dear Ann")
    }

    @Test("any string is a key, and strings that are equal are one key")
    func keys() async throws {
        let storage = try DatabaseStorage(DatabaseQueue())
        let keys = ["", "a", "A", "a\u{0}b", "../a", "日本語", "caf\u{E9}"]

        for key in keys { try await storage.write(Data(key.utf8), to: key) }
        try await storage.write(Data(), to: "cafe\u{301}")
        try await storage.remove("A")

        #expect(try await Set(storage.keys()) == Set(keys).subtracting(["A"]))
        #expect(try await storage.read("a\u{0}b") == Data("a\u{0}b".utf8))
        #expect(try await storage.read("caf\u{E9}") == Data())
        #expect(try await storage.read("A") == nil)
    }

    @Test("updates through two connections, as of two processes, lose nothing")
    func update() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let first = try DatabaseStorage(DatabaseQueue(path: file, configuration: configuration))
        let second = try DatabaseStorage(DatabaseQueue(path: file, configuration: configuration))

        try await withThrowingTaskGroup { group in
            for storage in [first, second] {
                group.addTask {
                    for _ in 0..<50 { try await storage.update("count") { ($0 ?? Data()) + [1] } }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await first.read("count")?.count == 100)
    }
}
