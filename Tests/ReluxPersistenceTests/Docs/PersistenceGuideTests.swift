import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import Testing

// The snippets of Docs/Persistence.md. The lines between `snippet` and `end` below also appear there, word for word.
// The last test of this file compares them.

// snippet
struct Note: Codable, Hashable, Identifiable, Sendable {
    let id: Int
    var text: String
}

enum NoteList {
    struct State: Relux.State {
        var notes: [Note] = []
        var selected: Note.ID?

        enum Action: Relux.Action { case added(Note), selected(Note.ID), merged([Note]) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let note): notes.append(note)
            case .selected(let id): selected = id
            case .merged(let notes): self.notes = notes
            }
        }
    }

    struct Module: Relux.Module {
        let storage: any Relux.Storage

        var states: [any Relux.State] { [State()] }
        var persistence: [any Relux.StatePersistence] {
            [Relux.Saved(State.self, as: "notes", in: storage, saving: { $0.notes }, restoring: { $0.notes = $1 })]
        }
    }
}
// end

/// The list in its second version: a text has become a title and a body.
enum NewNoteList {
    struct Note: Codable, Hashable, Sendable {
        let id: Int
        var title: String
        var body: String
    }

    struct State: Relux.State {
        typealias Action = Never

        var notes: [Note] = []
    }

    struct Module: Relux.Module {
        let storage: any Relux.Storage

        var states: [any Relux.State] { [State()] }
        // snippet
        var persistence: [any Relux.StatePersistence] {
            [
                Relux.Saved(
                    State.self, as: "notes", version: 2, in: storage,
                    saving: { $0.notes }, restoring: { $0.notes = $1 },
                    migrations: [
                        Relux.Migration(from: 1) { (old: [OldNote]) in
                            old.map { Note(id: $0.id, title: $0.text, body: "") }
                        }
                    ])
            ]
        }

        /// A note as version 1 saved it.
        private struct OldNote: Codable {
            let id: Int
            let text: String
        }
        // end
    }
}

/// The list that several processes change.
enum SharedNoteList {
    typealias State = NoteList.State

    struct Module: Relux.Module {
        let storage: any Relux.Storage

        var states: [any Relux.State] { [State()] }
        // snippet
        var persistence: [any Relux.StatePersistence] {
            [
                Relux.Saved(
                    State.self, as: "notes", in: storage,
                    saving: { $0.notes }, restoring: { $0.notes = $1 },
                    conflict: .merge { base, ours, theirs in
                        guard let theirs else { return nil }
                        let known = Set((base ?? []).map(\.id)).union(theirs.map(\.id))
                        return theirs + ours.filter { !known.contains($0.id) }
                    },
                    follows: { .merged($0 ?? []) })
            ]
        }
        // end
    }
}

// snippet
/// Keeps everything in another storage, encrypted. Keys stay readable.
struct SealedStorage: Relux.Storage {
    let storage: any Relux.Storage
    let cipher: any Cipher

    func read(_ key: String) async throws -> Data? { try await storage.read(key).map { try cipher.open($0) } }
    func keys() async throws -> [String] { try await storage.keys() }
    func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
        try await storage.update(keys) { data in
            let old = try data.mapValues { try cipher.open($0) }
            var new = old
            try change(&new)
            for key in keys where new[key] != old[key] { data[key] = try new[key].map { try cipher.seal($0) } }
        }
    }
    func remove(_ keys: Set<String>) async throws { try await storage.remove(keys) }
    func setAside(_ keys: Set<String>) async throws { try await storage.setAside(keys) }
    func changes(of key: String) -> AsyncStream<Void> { storage.changes(of: key) }
}

/// Seals data, and opens what it has sealed. What it throws means that the key isn't there at the moment.
protocol Cipher: Sendable {
    func seal(_ data: Data) throws -> Data
    func open(_ data: Data) throws -> Data
}
// end

/// Not a cipher that anybody should use.
private struct Flip: Cipher {
    func seal(_ data: Data) -> Data { Data(data.map { ~$0 }) }
    func open(_ data: Data) -> Data { seal(data) }
}

@Suite("Docs/Persistence.md", .timeLimit(.minutes(10)))
struct PersistenceGuideTests {
    @Test("what a list has saved is there for the next store")
    func beginning() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url

        // snippet
        let storage = Relux.FileStorage(folder: folder)
        let store = try await Relux.Store { NoteList.Module(storage: storage) }

        await store.dispatch(NoteList.State.Action.added(Note(id: 1, text: "Milk")))
        try await store.saved()
        // end
        await store.shutdown()

        let next = try await Relux.Store { NoteList.Module(storage: storage) }
        #expect(try await next.state(of: NoteList.State.self).notes == [Note(id: 1, text: "Milk")])
    }

    // snippet
    @Test("notes of version 1 get a title")
    func migration() async throws {
        let saved = #"[{"id": 1, "text": "Milk"}]"#
        let storage = Relux.MemoryStorage()
        let old = try await Relux.Store { NoteList.Module(storage: storage) }
        await old.dispatch(NoteList.State.Action.merged(try JSONDecoder().decode([Note].self, from: Data(saved.utf8))))
        await old.shutdown()

        let new = try await Relux.Store { NewNoteList.Module(storage: storage) }

        let notes = try await new.state(of: NewNoteList.State.self).notes
        #expect(notes == [NewNoteList.Note(id: 1, title: "Milk", body: "")])
    }
    // end

    // snippet
    @Test("a note is saved when its pace is over")
    func pace() async throws {
        let storage = Relux.MemoryStorage()
        let store = try await TestStore(persistence: .on) { NoteList.Module(storage: storage) }
        let note = Note(id: 1, text: "Milk")

        await store.dispatch(.added(note), to: NoteList.State.self) { $0.notes = [note] }
        #expect(storage.data.isEmpty)
        await store.advance(by: .milliseconds(250))
        #expect(storage.data["notes"] != nil)
        await store.finish()
    }
    // end

    // snippet
    @Test("what saved() has returned for is there after a crash")
    func crash() async throws {
        let report = await Simulation.explore(seeds: 0..<200) { world in
            let storage = world.storage()
            var acknowledged: [Note] = []
            let store = try await world.store { NoteList.Module(storage: storage) }
            let writer = Task(executorPreference: world.executor) {
                var saved: [Note] = []
                for number in 0..<5 {
                    let note = Note(id: number, text: "\(number)")
                    await store.dispatch(NoteList.State.Action.added(note))
                    guard (try? await store.saved()) != nil else { break }
                    saved.append(note)
                }
                return saved
            }
            try await world.latency(.zero ... .milliseconds(50))
            await world.crash(store)
            acknowledged = await writer.value

            let next = try await world.store { NoteList.Module(storage: storage) }
            let found = try await next.state(of: NoteList.State.self).notes
            #expect(found.starts(with: acknowledged))
        }

        #expect(report.failure == nil, "\(report)")
    }
    // end

    @Test("two processes keep what both have added, and see each other's notes")
    func shared() async throws {
        let storage = Relux.MemoryStorage()
        let first = try await Relux.Store { SharedNoteList.Module(storage: storage) }
        let second = try await Relux.Store { SharedNoteList.Module(storage: storage) }

        await first.dispatch(NoteList.State.Action.added(Note(id: 1, text: "ours")))
        try await first.saved()
        await second.dispatch(NoteList.State.Action.added(Note(id: 2, text: "theirs")))
        try await second.saved()

        for store in [first, second] {
            let list = try await store.wait(until: NoteList.State.self) { $0.notes.count == 2 }
            #expect(Set(list.notes.map(\.id)) == [1, 2])
        }
    }

    @Test("a storage that seals keeps nothing readable")
    func sealed() async throws {
        let memory = Relux.MemoryStorage()
        let storage = SealedStorage(storage: memory, cipher: Flip())
        let store = try await Relux.Store { NoteList.Module(storage: storage) }

        await store.dispatch(NoteList.State.Action.added(Note(id: 1, text: "Milk")))
        await store.shutdown()

        #expect(memory.data["notes"]?.range(of: Data("Milk".utf8)) == nil)
        let next = try await Relux.Store { NoteList.Module(storage: storage) }
        #expect(try await next.state(of: NoteList.State.self).notes.count == 1)
    }

    @Test("the guide's snippets are those of this file and of the outbox")
    func guideIsCompiled() throws {
        let root = "\(#filePath)".components(separatedBy: "/Tests/").dropLast().joined(separator: "/Tests/")
        let shown = try Self.parts(of: root + "/Docs/Persistence.md", from: "```swift", to: "```")
        let files = ["\(#filePath)", root + "/Tests/ReluxPersistenceTests/Fixtures/Outbox.swift"]
        let compiled = try files.flatMap { try Self.parts(of: $0, from: "// snippet", to: "// end") }

        #expect(shown.count == 9)
        expectNoDifference(shown.sorted(), compiled.sorted())
    }

    /// Returns the texts between two marks, without the indentation of each text's first line.
    private static func parts(of path: String, from start: String, to end: String) throws -> [String] {
        var parts: [String] = []
        var open: [String]?
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            switch (line.trimmingCharacters(in: .whitespaces), open) {
            case (start, nil):
                open = []
            case (end, let lines?):
                let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
                parts.append(lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n"))
                open = nil
            case (_, let lines?):
                open = lines + [line]
            default:
                break
            }
        }
        return parts
    }
}
