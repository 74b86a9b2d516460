import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@testable import ReluxPersistence

@Suite("Saved", .timeLimit(.minutes(10)))
struct SavedTests {
    private let storage = Relux.MemoryStorage()

    /// The texts of the notes alone.
    private func texts(
        version: Int = 1, migrations: [Relux.Migration] = [], conflict: Relux.Conflict<[String]> = .keepOurs,
        unreadable: Relux.UnreadableRule = .refuse, follows: Bool = false, format: Relux.SavedFormat = .json
    ) -> Relux.Saved<Notes, [String]> {
        let merged: @Sendable ([String]?) -> Notes.Action = { .merged($0 ?? []) }
        return Relux.Saved(
            Notes.self, as: "notes", version: version, in: storage, saving: { $0.texts },
            restoring: { $0.texts = $1 }, migrations: migrations, format: format, pace: .atOnce,
            unreadable: unreadable, conflict: conflict, follows: follows ? merged : nil)
    }

    private func store(_ persistence: any Relux.StatePersistence) async throws -> Relux.Store {
        try await Relux.Store { NotesModule(persistence: [persistence]) }
    }

    private func notes(of store: Relux.Store) async throws -> [String] { try await store.state(of: Notes.self).texts }

    private func add(_ text: String, to store: Relux.Store) async throws {
        await store.dispatch(Notes.Action.add(text))
        try await store.saved()
    }

    /// Why a value can't be loaded; nil if it can.
    private func failure(of saved: some Relux.StatePersistence<Notes>) async -> Relux.LoadFailure? {
        do {
            _ = try await saved.load(into: Notes())
            return nil
        } catch {
            return error
        }
    }

    // MARK: Ids

    /// What is known of the id of an entry, under which a page saves.
    enum EntryID: CaseIterable { case counted, chosen, savedWithItsStack }

    @Test("a page isn't saved under an id that begins again in each process", arguments: EntryID.allCases)
    func entryID(kind: EntryID) async throws {
        struct Page: Relux.Module, Identifiable {
            let id: Relux.Navigation.Stack<String>.Entry.ID
            let storage: Relux.MemoryStorage
            var states: [any Relux.State] { [Notes()] }
            var persistence: [any Relux.StatePersistence] {
                [Relux.Saved(Notes.self, as: "page", in: storage, id: id, pace: .atOnce)]
            }
        }
        struct Pages: Relux.Module {
            typealias Stack = Relux.Navigation.Stack<String>
            let storage: Relux.MemoryStorage
            let isSaved: Bool
            var states: [any Relux.State] { [Stack()] }
            var persistence: [any Relux.StatePersistence] {
                isSaved ? [Relux.Saved(Stack.self, as: "pages", in: storage, pace: .atOnce)] : []
            }
            var children: [Relux.Children] {
                [.each(of: Stack.self, \.entries) { [storage] entry, _ in Page(id: entry.id, storage: storage) }]
            }
        }
        let observer = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages(storage: storage, isSaved: kind == .savedWithItsStack)
        }

        await store.dispatch(kind == .chosen ? Pages.Stack.Action.push("a", id: 1) : .push("a"))
        try await store.idle()
        await store.scope(of: Page.self, id: 1).dispatch(Notes.Action.add("a"))
        try await store.saved()

        #expect((storage.data.keys.contains { $0.hasPrefix("page/") }) == (kind != .counted))
        let errors = observer.refusals.compactMap { refusal -> Relux.StoreError? in
            if case .childNotRegistered(let error) = refusal.reason { error } else { nil }
        }
        #expect(errors.count == (kind == .counted ? 1 : 0))
        #expect(errors.allSatisfy { "\($0)".contains("begin again in each process") })
    }

    // MARK: Saving and loading

    @Test(
        "a state is saved as a whole, and is there for the next store",
        arguments: [Relux.SavedFormat.json, .propertyList])
    func wholeState(format: Relux.SavedFormat) async throws {
        let saved = { Relux.Saved(Notes.self, as: "notes", in: storage, format: format) }
        let first = try await store(saved())
        await first.dispatch(Notes.Action.show(7))
        try await add("a", to: first)
        await first.shutdown()

        let second = try await store(saved())

        #expect(try await second.state(of: Notes.self) == Notes(texts: ["a"], shown: 7))
        #expect(storage.data.keys.sorted() == ["notes"])
    }

    @Test("of a part of a state, only a change of that part is saved, and the rest starts as the module says")
    func part() async throws {
        let first = try await store(texts())
        try await add("a", to: first)
        let data = storage.data
        await first.dispatch(Notes.Action.show(7))
        try await first.saved()
        #expect(storage.data == data)

        let second = try await store(texts())

        #expect(try await second.state(of: Notes.self) == Notes(texts: ["a"], shown: 0))
    }

    @Test("what was saved in one format is read by a program that saves in another")
    func formats() async throws {
        try await add("a", to: store(texts(format: .propertyList)))

        let second = try await store(texts(format: .json))
        try await add("b", to: second)

        #expect(try await notes(of: store(texts())) == ["a", "b"])
    }

    @Test("the storage and the key are a place, so that two states can't have the same")
    func places() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "never")
        let (one, two) = (Relux.FileStorage(folder: folder), Relux.FileStorage(folder: folder))
        func place(_ storage: any Relux.Storage, _ name: String, id: (any Hashable & Sendable)? = nil) -> AnyHashable? {
            Relux.Saved(Notes.self, as: name, in: storage, id: id).location.map { AnyHashable($0) }
        }

        #expect(place(one, "a") == place(two, "a"))
        #expect(place(one, "a") != place(one, "b"))
        #expect(place(one, "a") != place(storage, "a"))
        #expect(place(storage, "a") != place(Relux.MemoryStorage(), "a"))
        #expect(place(storage, "a/b") != place(storage, "a", id: "b"))
        #expect(place(storage, "a", id: "") != place(storage, "a"))
        let error = await #expect(throws: Relux.StoreError.self) {
            try await Relux.Store {
                PageModule(id: 1, storage: storage)
                PageModule(id: "1", storage: storage)
            }
        }
        guard case .savedTwice = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("each instance has a key of its own, whatever its id is, and what goes with it is erased if the rule says so")
    func instances() async throws {
        let ids = ["", "a", "../a", "a/b", "a%2Fb", "é", String(repeating: "x", count: 5000)]
        let folder = try TemporaryFolder()
        let files = Relux.FileStorage(folder: folder.url)
        let first = Relux.Store()
        for id in ids {
            try await first.register(PageModule(id: id, storage: files, onRemoval: .erase))
            await first.scope(of: PageModule<String>.self, id: id).dispatch(Notes.Action.add(id))
        }
        await first.shutdown()

        let second = Relux.Store()
        for id in ids {
            let lease = try await second.attach(PageModule(id: id, storage: files, onRemoval: .erase))
            #expect(try await lease.scope.state(of: Notes.self).texts == [id])
            await lease.end()
        }

        #expect(try await files.keys().isEmpty)
    }

    @Test("ids whose descriptions leave something out have keys of their own")
    func idsWithoutDescription() {
        struct Place: Hashable, Codable, CustomStringConvertible {
            let (row, seat): (Int, Int)
            var description: String { "row \(row)" }
        }
        func key(_ id: any Hashable & Sendable) -> String { SavedKey.of("page", id: id) }

        #expect(key(Date(timeIntervalSinceReferenceDate: 0.25)) != key(Date(timeIntervalSinceReferenceDate: 0.5)))
        #expect(key(Place(row: 1, seat: 1)) != key(Place(row: 1, seat: 2)))
        #expect(key("a/b") == "page/a%2Fb" && key(7) == "page/7")
        let id = UUID()
        #expect(key(id) == "page/\(id)")
    }

    // MARK: Migrations

    private struct V2: Codable { var lines: [String] }

    @Test("what earlier versions have saved goes through each migration on the way, from bytes or from values")
    func migrations() async throws {
        let one = Relux.Saved(
            Notes.self, as: "notes", version: 1, in: storage, saving: { $0.texts.joined(separator: "\n") },
            restoring: { $0.texts = $1.split(separator: "\n").map(String.init) }, pace: .atOnce)
        let first = try await store(one)
        try await add("a", to: first)
        try await add("b", to: first)

        let migrations = [
            Relux.Migration(from: 2) { (old: V2) in old.lines.map { $0.uppercased() } },
            Relux.Migration(from: 1) { data in
                let text = try JSONDecoder().decode(String.self, from: data)
                return try JSONEncoder().encode(["lines": text.split(separator: "\n").map(String.init)])
            },
        ]
        let second = try await store(texts(version: 3, migrations: migrations))
        #expect(try await notes(of: second) == ["A", "B"])
        try await add("c", to: second)

        #expect(try await notes(of: store(texts(version: 3))) == ["A", "B", "c"])
    }

    @Test("a missing or failing migration and what can't be decoded are damage, and overwrite nothing")
    func failedMigrations() async throws {
        try await add("a", to: store(texts()))
        let data = storage.data
        let attempts: [Relux.Saved<Notes, [String]>] = [
            texts(version: 3, migrations: [Relux.Migration(from: 1) { $0 }]),
            texts(version: 2, migrations: [Relux.Migration(from: 1) { (_: Data) -> Data in throw TestFailure() }]),
            texts(version: 2, migrations: [Relux.Migration(from: 1) { _ in Data("{") }]),
        ]

        for attempt in attempts {
            let error = await #expect(throws: Relux.StoreError.self) { try await store(attempt) }
            guard case .notLoaded(_, .damaged) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(storage.data == data)
    }

    @Test("a history is saved with its state, unless it shouldn't be")
    func history() async throws {
        var sizes: [Int] = []
        for savesHistory in [true, false] {
            let memory = Relux.MemoryStorage()
            let initial = Relux.Undoable(Text(), savesHistory: savesHistory)
            func saved() -> Relux.Saved<Relux.Undoable<Text>, Relux.Undoable<Text>> {
                Relux.Saved(Relux.Undoable<Text>.self, as: "text", in: memory)
            }
            var text = initial
            for _ in 0..<50 { text.apply(.type("a longer text. ")) }
            try await saved().save(text)

            let found = try #require(try await saved().load(into: initial))
            #expect(found.present == text.present && found.savesHistory == savesHistory)
            #expect(found.undoCount == (savesHistory ? 50 : 0))
            sizes.append(memory.data.values.map(\.count).reduce(0, +))
        }
        #expect(sizes[0] > 10 * sizes[1])
    }

    @Test(
        "a saved history has the limit and the choice of the listed value, not those of the file",
        arguments: [true, false])
    func historyOfAnotherVersion(savesHistory: Bool) async throws {
        let memory = Relux.MemoryStorage()
        var text = Relux.Undoable(Text(), limit: 5)
        for _ in 0..<5 { text.apply(.type("a")) }
        let saved = Relux.Saved(Relux.Undoable<Text>.self, as: "text", in: memory)
        try await saved.save(text)

        let found = try #require(try await saved.load(into: .init(Text(), limit: 3, savesHistory: savesHistory)))

        #expect(found.present == text.present && found.undoCount == (savesHistory ? 3 : 0))
        #expect(found.limit == 3 && found.savesHistory == savesHistory)
    }

    private struct Text: Relux.UndoableState, Codable, Hashable {
        var text = ""

        enum Action: Relux.Action { case type(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .type(let text): self.text += text
            }
        }
    }

    @Test("a new field is the mistake that it usually is: the error shows what to write")
    func newField() async throws {
        struct NewNotes: Relux.State, Codable {
            var texts: [String] = []
            var shown = 0
            var color: String
            enum Action: Relux.Action { case none }
            mutating func reduce(_ action: Action) {}
        }
        struct Module: Relux.Module {
            let storage: any Relux.Storage
            var states: [any Relux.State] { [NewNotes(color: "red")] }
            var persistence: [any Relux.StatePersistence] { [Relux.Saved(NewNotes.self, as: "notes", in: storage)] }
        }
        try await Relux.Saved(Notes.self, as: "notes", in: storage).save(Notes(texts: ["a"]))

        let error = await #expect(throws: Relux.StoreError.self) {
            try await Relux.Store { Module(storage: storage) }
        }

        let text = "\(try #require(error))"
        #expect(text.contains("“color” is missing. If NewNotes has changed since version 1, raise the version"))
        #expect(text.contains("    version: 2,\n    migrations: [Migration(from: 1) { (old: …) in NewNotes(…) }]"))
        #expect(!text.contains("unreadable"))
    }

    @Test("a number that JSON doesn't have is named", arguments: [Double.infinity, .nan])
    func numbers(number: Double) async throws {
        struct Scale: Relux.State, Codable {
            var weights: [Double] = []
            enum Action: Relux.Action { case none }
            mutating func reduce(_ action: Action) {}
        }
        func saved(_ format: Relux.SavedFormat) -> Relux.Saved<Scale, Scale> {
            Relux.Saved(Scale.self, as: "scale", in: storage, format: format)
        }

        let error = await #expect(throws: (any Error).self) {
            try await saved(.json).save(Scale(weights: [1, number]))
        }
        try await saved(.propertyList).save(Scale(weights: [number]))

        #expect("\(try #require(error))".hasPrefix("JSON has no “\(number)”, which is the value of “weights.[1]”"))
        #expect(try await saved(.propertyList).load(into: Scale())?.weights.count == 1)
    }

    @Test("what an author's own encoding refuses is reported in its own words")
    func refusedByEncoding() async throws {
        struct Title: Codable, Equatable {
            var text = "a title"
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(text, .init(codingPath: [], debugDescription: "too long"))
            }
        }
        let saved = Relux.Saved(
            Notes.self, as: "title", in: storage, saving: { _ in Title() }, restoring: { _, _ in })

        let error = await #expect(throws: EncodingError.self) { try await saved.save(Notes()) }

        #expect("\(try #require(error))".contains("too long"))
    }

    @Test("what a newer version has saved is neither read nor replaced, also if it comes later")
    func newer() async throws {
        let old = try await store(texts())
        try await add("old", to: old)
        let new = try await store(texts(version: 2, migrations: [Relux.Migration(from: 1) { $0 }]))
        try await add("new", to: new)
        let data = storage.data

        await old.dispatch(Notes.Action.add("late"))
        await #expect(throws: (any Error).self) { try await old.saved() }
        let error = await #expect(throws: Relux.StoreError.self) { try await store(texts()) }

        guard case .notLoaded(_, .newer(version: 2)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(storage.data == data)
    }

    // MARK: Damage

    @Test("data that are damaged at any byte are damaged, can be set aside, and are never replaced by a save")
    func damage() async throws {
        let live = try await store(texts())
        try await add("a", to: live)
        let whole = try #require(try await storage.read("notes"))

        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            try await storage.write(damaged, to: "notes")
            let failure = await failure(of: texts())
            guard case .damaged = failure else {
                Issue.record("\(index): \(String(describing: failure))")
                continue
            }
            await live.dispatch(Notes.Action.add("\(index)"))
            await #expect(throws: (any Error).self) { try await live.saved() }
            #expect(try await storage.read("notes") == damaged)
        }
        let observer = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            NotesModule(persistence: [texts(unreadable: .setAside)])
        }

        #expect(try await notes(of: store) == [])
        #expect(storage.data.keys.sorted() == ["notes.aside-1"])
    }

    @Test("what the storage throws means that the value is not available, unless it says that it is damaged")
    func storageErrors() async throws {
        let folder = try TemporaryFolder()
        let files = FaultyFiles()
        let saved = Relux.Saved(
            Notes.self, as: "notes", in: Relux.FileStorage(folder: folder.url, files: files.system(.kill)))
        try await saved.save(Notes(texts: ["a"]))

        files.set { $0.failing = ["open"] }
        let unavailable = await failure(of: saved)
        files.set { $0.failing = [] }
        try Data().write(to: folder.url.appending(path: FileName.of("notes")))
        let damaged = await failure(of: saved)

        guard case .unavailable = unavailable, case .damaged = damaged else {
            Issue.record("\([unavailable, damaged])")
            return
        }
    }

    @Test("a value that was never loaded keeps what can't be read under another name before it replaces it")
    func givenValue() async throws {
        try await storage.write(Data("unreadable"), to: "notes")

        let store = try await Relux.Store(.init(states: [Notes(texts: ["given"])])) {
            NotesModule(persistence: [texts()])
        }
        try await store.saved()

        #expect(storage.data["notes.aside-1"] == Data("unreadable"))
        #expect(try await notes(of: self.store(texts())) == ["given"])
    }

    private struct Second: Relux.State, Codable {
        enum Action: Relux.Action {}
        mutating func reduce(_ action: Action) {}
    }

    private struct TwoStates: Relux.Module {
        let persistence: [any Relux.StatePersistence]
        var states: [any Relux.State] { [Notes(), Second()] }
    }

    @Test("each setting aside is reported once, although that of another state fails at first")
    func setAsideByTwoAttempts() async throws {
        let (folder, observer, files) = (try TemporaryFolder(), RecordingObserver(), FaultyFiles())
        let second = Relux.FileStorage(folder: folder.url, files: files.system(.kill))
        try await storage.write(Data("damaged"), to: "notes")
        try await second.write(Data("damaged"), to: "second")
        let store = Relux.Store(.init(observers: [observer]))
        func register() async throws {
            let other = Relux.Saved(Second.self, as: "second", in: second, unreadable: .setAside)
            try await store.register(TwoStates(persistence: [texts(unreadable: .setAside), other]))
        }

        files.set { $0.failing = ["rename"] }
        await #expect(throws: Relux.StoreError.self) { try await register() }
        #expect(storage.data.keys.sorted() == ["notes.aside-1"])
        files.set { $0.failing = [] }
        try await register()

        #expect(observer.refusals.compactMap { $0.state.map { "\($0)" } } == ["Notes", "Second"])
    }

    @Test("what another store has saved after setting the same data aside stays, and is what a later load finds")
    func setAsideByOthers() async throws {
        try await storage.write(Data("unreadable"), to: "notes")
        let (first, second) = (texts(), texts())
        for saved in [first, second] { #expect(await failure(of: saved) != nil) }

        try await first.setAside()
        try await first.save(Notes(texts: ["first"]))
        try await second.setAside()

        #expect(try await second.load(into: Notes())?.texts == ["first"])
        #expect(storage.data.keys.sorted() == ["notes", "notes.aside-1"])
    }

    @Test("what others save while a store sets the same data aside stays, in any order")
    func setAsideAtTheSameTime() async throws {
        await Simulation.explore(seeds: seeds(100)) { world in
            let storage = world.storage()
            try await storage.write(Data("unreadable"), to: "notes")
            for name in ["a", "b"] {
                world.task(name) {
                    let saved = Relux.Saved(
                        Notes.self, as: "notes", in: storage, saving: { $0.texts }, restoring: { $0.texts = $1 },
                        conflict: Self.union)
                    guard await failure(of: saved) != nil else { return }
                    try await saved.setAside()
                    let notes = try await saved.load(into: Notes())
                    try await saved.save(Notes(texts: (notes?.texts ?? []) + [name]))
                    let stored = try await storage.read("notes").map {
                        try JSONDecoder().decode([String].self, from: SavedRecord($0).body)
                    }
                    #expect(stored?.contains(name) == true)
                }
            }
            await world.settled()

            #expect(storage.data["notes.aside-1"] == Data("unreadable"))
            #expect(storage.data.keys.sorted() == ["notes", "notes.aside-1"])
        }
    }

    private struct Star: Codable, Equatable, Identifiable {
        let id: Int

        init(id: Int) { self.id = id }

        init(from decoder: any Decoder) throws { throw TestFailure() }
    }

    private struct Stars: Relux.State, Codable {
        var stars: Relux.Entities<Star> = [Star(id: 1)]
        enum Action: Relux.Action { case none }
        mutating func reduce(_ action: Action) {}
    }

    @Test(
        "what the author's own decoding refuses is damage, in an element too",
        arguments: [Relux.SavedFormat.json, .propertyList])
    func refusedByAuthor(format: Relux.SavedFormat) async throws {
        let whole = Relux.Saved(Stars.self, as: "whole", in: storage, format: format)
        let single = Relux.Saved(Stars.self, as: "single", in: storage, format: format, elements: \.stars)

        for saved in [whole, single] {
            try await saved.save(Stars())
            let error = await #expect(throws: Relux.LoadFailure.self) { try await saved.load(into: Stars()) }
            guard case .damaged(Relux.SavedDamage.undecodable(version: 1, let reason)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.hasPrefix("TestFailure()"))
        }
    }

    // MARK: Several writers

    @Test("by default, the last save wins, and a store whose value was erased saves it again")
    func keepOurs() async throws {
        let (first, second) = (try await store(texts()), try await store(texts()))
        try await add("first", to: first)
        try await add("second", to: second)
        #expect(try await notes(of: store(texts())) == ["second"])

        try await storage.remove("notes")
        try await add("again", to: first)

        #expect(try await notes(of: store(texts())) == ["first", "again"])
    }

    @Test("keepTheirs leaves what others have saved, and the memory as it is until the next load")
    func keepTheirs() async throws {
        let first = try await store(texts(conflict: .keepTheirs))
        try await add("shared", to: first)
        let second = try await store(texts())
        try await add("theirs", to: second)

        try await add("ours", to: first)
        try await add("ours too", to: first)

        #expect(try await notes(of: store(texts())) == ["shared", "theirs"])
        #expect(try await notes(of: first) == ["shared", "ours", "ours too"])
    }

    /// Adds to theirs what is new in ours.
    private static let union = Relux.Conflict<[String]>.merge { base, ours, theirs in
        (theirs ?? []) + ours.filter { !(base ?? []).contains($0) && theirs?.contains($0) != true }
    }

    @Test("merge gets what both started from, and each later save merges again with what the store really has")
    func merges() async throws {
        let bases = Box<[[String]?]>([])
        let conflict = Relux.Conflict<[String]>.merge { base, ours, theirs in
            bases.value.append(base)
            return (theirs ?? []) + ours.filter { !(base ?? []).contains($0) }
        }
        let first = try await store(texts(conflict: conflict))
        try await add("shared", to: first)
        let second = try await store(texts(conflict: conflict))

        try await add("theirs", to: second)
        try await add("ours", to: first)
        #expect(try await notes(of: store(texts())) == ["shared", "theirs", "ours"])
        try await add("more", to: first)

        #expect(try await notes(of: store(texts())) == ["shared", "theirs", "ours", "more"])
        #expect(bases.value == [["shared"], ["shared", "ours"]])
    }

    @Test("without a common value, merge has no base")
    func mergeWithoutBase() async throws {
        let first = try await store(texts(conflict: Self.union))
        let second = try await store(texts(conflict: Self.union))

        try await add("a", to: first)
        try await add("b", to: second)

        #expect(try await notes(of: store(texts())) == ["a", "b"])
    }

    @Test("a store that follows takes in what others save, without saving it again")
    func follows() async throws {
        let first = try await store(texts(conflict: Self.union, follows: true))
        let second = try await store(texts(conflict: Self.union))
        let values = first.values(of: Notes.self)

        try await add("theirs", to: second)
        for await value in values where value.texts == ["theirs"] { break }
        let data = storage.data
        try await first.idle()
        #expect(storage.data == data)
        try await add("ours", to: first)
        try await add("more", to: second)
        for await value in values where value.texts == ["theirs", "ours", "more"] { break }

        #expect(try await notes(of: store(texts())) == ["theirs", "ours", "more"])
    }

    @Test("a second registration of the same object takes in what others save between its load and its following")
    func followsAgain() async throws {
        let saved = texts(follows: true)
        for texts in [["first"], ["second"]] {
            _ = try await saved.load(into: Notes())
            try await self.texts().save(Notes(texts: texts))

            var changes = saved.changes(since: Notes()).makeAsyncIterator()

            #expect(await changes.next() == .merged(texts))
            #expect(saved.willTakeIn() && saved.hasTakenIn(Notes(texts: texts)))
        }
    }

    /// A storage in memory as somebody else would write one, which notes who follows it.
    private struct OwnStorage: Relux.Storage {
        let storage = Relux.MemoryStorage()
        let followed = Box<[String]>([])

        func read(_ key: String) async throws -> Data? { try await storage.read(key) }
        func keys() async throws -> [String] { try await storage.keys() }
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
            try await storage.update(keys, change)
        }
        func changes(of key: String) -> AsyncStream<Void> {
            followed.value.append(key)
            return storage.changes(of: key)
        }
    }

    @Test("what is known of one key says nothing of another one in a storage without a location")
    func otherKey() async throws {
        let storage = OwnStorage()
        let old = Relux.Saved(Notes.self, as: "old", in: storage, conflict: .keepTheirs)
        try await old.save(Notes(texts: ["old"]))
        let new = Relux.Saved(Notes.self, as: "new", in: storage, conflict: .keepTheirs)

        new.continues(old)
        try await new.save(Notes(texts: ["new"]))

        #expect(storage.storage.data["new"] != nil)
    }

    @Test("any storage is followed from the first look on, so that nothing is missed that is saved after it")
    func followsOwnStorage() async throws {
        let storage = OwnStorage()
        let saved = Relux.Saved(Notes.self, as: "notes", in: storage, follows: { .merged($0?.texts ?? []) })
        _ = try await saved.load(into: Notes())

        var changes = saved.changes(since: Notes()).makeAsyncIterator()

        #expect(storage.followed.value == ["notes"])
        try await Relux.Saved(Notes.self, as: "notes", in: storage).save(Notes(texts: ["theirs"]))
        #expect(await changes.next() == .merged(["theirs"]))
    }

    /// A storage in memory that notes what is read.
    private struct ReadStorage: LockingStorage {
        let storage = Relux.MemoryStorage()
        let wholeReads = Shared(0)
        let reads = Gate()

        init() { reads.open() }

        func read(_ key: String) async throws -> Data? {
            wholeReads.change { $0 += 1 }
            await reads.pass()
            return try await storage.read(key)
        }
        func beginning(of key: String, count: Int) async throws -> Data? {
            await reads.pass()
            return try await storage.beginning(of: key, count: count)
        }
        func keys() async throws -> [String] { try await storage.keys() }
        func exclusively(
            _ keys: Set<String>, startingWith start: String?, _ change: StorageChange
        ) async throws -> [String: Data] {
            try storage.exclusively(keys, startingWith: start, change)
        }
        func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            storage.reportChanges(of: key, report)
        }
    }

    @Test("a store that follows doesn't read its own saves, and misses none of others")
    func ownSaves() async throws {
        func saved(in storage: ReadStorage) -> Relux.Saved<Notes, Notes> {
            Relux.Saved(Notes.self, as: "notes", in: storage, follows: { .merged($0?.texts ?? []) })
        }
        let storage = ReadStorage()
        let ours = saved(in: storage)
        _ = try await ours.load(into: Notes())
        let changes = ours.changes(since: Notes())
        let first = Task {
            var changes = changes.makeAsyncIterator()
            return await changes.next()
        }
        await storage.reads.arrivals(atLeast: 2)
        storage.wholeReads.value = 0

        try await ours.save(Notes(texts: ["ours"]))
        await storage.reads.arrivals(atLeast: 3)
        #expect(storage.wholeReads.value == 0)
        try await saved(in: storage).save(Notes(texts: ["theirs"]))

        #expect(await first.value == .merged(["theirs"]))
    }

    @Test("stores that merge and follow lose nothing and agree in the end, over 300 seeds")
    func followingModel() async throws {
        let report = await Simulation.explore(seeds: 0..<300) { world in
            let storage = Relux.MemoryStorage()
            func make() async throws -> Relux.Store {
                try await world.store {
                    NotesModule(
                        persistence: [
                            Relux.Saved(
                                Notes.self, as: "notes", in: storage, saving: { $0.texts },
                                restoring: { $0.texts = $1 }, pace: .within(.milliseconds(3)), conflict: Self.union,
                                follows: { .merged($0 ?? []) })
                        ])
                }
            }
            let stores = [try await make(), try await make()]
            for (index, store) in stores.enumerated() {
                world.task {
                    for round in 0..<4 {
                        try await world.clock.sleep(for: .milliseconds(world.random(in: 0...5)))
                        await store.dispatch(Notes.Action.add("\(index).\(round)"))
                        if world.random(in: 0...1) == 1 { try await store.saved() }
                    }
                }
            }
            await world.settled()
            let all = Set((0..<2).flatMap { index in (0..<4).map { "\(index).\($0)" } })
            for store in stores { try await store.saved() }
            for store in stores {
                let notes = try await store.wait(until: Notes.self) { Set($0.texts) == all }
                if notes.texts.count != all.count { Issue.record("\(notes)") }
            }
            let saved = try await storage.read("notes").map {
                try JSONDecoder().decode([String].self, from: SavedRecord($0).body)
            }
            if Set(saved ?? []) != all { Issue.record("\(String(describing: saved))") }
        }

        #expect(report.failure == nil, "\(report)")
    }
}
