import Foundation
import Relux
import ReluxTesting
import Testing

@testable import ReluxPersistence

@Suite("Saved elements", .timeLimit(.minutes(10)))
struct SavedElementsTests {
    struct Item: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var text = ""
    }

    struct List: Relux.State, Codable {
        var title = ""
        var items = Relux.Entities<Item>()

        enum Action: Relux.Action { case change(@Sendable (inout List) -> Void), take(List) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .change(let change): change(&self)
            case .take(let list): self = list
            }
        }
    }

    /// An element whose id is a text.
    struct Word: Codable, Equatable, Identifiable, Sendable {
        let id: String
    }

    struct Words: Relux.State, Codable {
        var words = Relux.Entities<Word>()

        enum Action: Relux.Action { case none }

        mutating func reduce(_ action: Action) {}
    }

    private func saved(
        in storage: any Relux.Storage, version: Int = 1, migrations: [Relux.Migration] = [],
        elementMigrations: [Relux.Migration] = [],
        conflict: Relux.Conflict<List> = .keepOurs
    ) -> Relux.Saved<List, List> {
        Relux.Saved(
            List.self, as: "list", version: version, in: storage, migrations: migrations, conflict: conflict,
            elements: \.items, elementMigrations: elementMigrations)
    }

    private func loaded(from storage: any Relux.Storage) async throws -> List? {
        try await saved(in: storage).load(into: List())
    }

    private func list(_ count: Int) -> List {
        List(title: "title", items: Relux.Entities((0..<count).map { Item(id: $0, text: "\($0)") }, keeping: .first))
    }

    /// A storage that fails after a number of changes.
    private final class Failing: Relux.Storage {
        let memory: Relux.MemoryStorage
        private let left: Lock<Int>

        init(_ memory: Relux.MemoryStorage, after count: Int) {
            self.memory = memory
            left = Lock(count)
        }

        private func count() throws {
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            if isOver { throw TestFailure() }
        }

        func read(_ key: String) async throws -> Data? { try await memory.read(key) }
        func keys() async throws -> [String] { try await memory.keys() }
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
            try await memory.update(keys) { data in
                let old = data
                try change(&data)
                if data != old { try count() }
            }
        }
    }

    @Test("changing, adding, or removing one of many elements writes its record and the one of the rest")
    func oneRecord() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "log")
        let persistence = saved(in: Relux.LogStorage(file: path))
        var list = list(1000)
        try await persistence.save(list)
        let changes: [(inout List) -> Void] = [
            { $0.items[id: 500]?.text = "changed" },
            { $0.items.append(Item(id: 1000, text: "new")) },
            { $0.items.insert(Item(id: 1001, text: "between"), at: 10) },
            { _ = $0.items.move(id: 1001, to: 700) },
            { $0.items.remove(id: 3) },
            { $0.title = "other" },
        ]

        for change in changes {
            change(&list)
            let before = try Data(contentsOf: path)
            try await persistence.save(list)
            let format = try #require(LogFormat.reading(before)).format
            let keys = format.scan(try Data(contentsOf: path), from: before.count).entries.map(\.key)
            #expect(keys.contains("list") && keys.count <= 2)
        }

        #expect(try await loaded(from: Relux.LogStorage(file: path)) == list)
    }

    @Test("whatever has changed between two saves, the next load finds it, in order, over 100 seeds")
    func model() async throws {
        for seed in 0..<100 {
            var random = SeededGenerator(seed: UInt64(seed))
            let storage = Relux.MemoryStorage()
            let persistence = saved(in: storage)
            var list = List()
            var nextID = 0
            for _ in 0..<15 {
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let count = list.items.count
                    let position = Int.random(in: 0...count, using: &random)
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0, 1:
                        list.items.insert(Item(id: nextID), at: position)
                        nextID += 1
                    case 2 where count > 0:
                        list.items.remove(id: list.items[position % count].id)
                    case 3 where count > 0:
                        _ = list.items.move(id: list.items[position % count].id, to: count / 2)
                    case 4 where count > 0:
                        list.items[id: list.items[position % count].id]?.text += "x"
                    default:
                        list.title += "t"
                    }
                }
                try await persistence.save(list)
                let found = try await loaded(from: storage)
                #expect(found == list, "seed \(seed)")
            }
        }
    }

    @Test("a place between two elements can be used any number of times")
    func ranks() async throws {
        let storage = Relux.MemoryStorage()
        let persistence = saved(in: storage)
        var list = list(2)
        for number in 0..<200 {
            list.items.insert(Item(id: 10 + number), at: 1)
            try await persistence.save(list)
        }

        #expect(try await loaded(from: storage) == list)
    }

    @Test("a save of several records that ends after any of its steps is all or nothing, and the next one continues")
    func allOrNothing() async throws {
        let old = list(5)
        var new = old
        new.title = "new"
        new.items.remove(id: 1)
        new.items[id: 2]?.text = "new"
        new.items.append(Item(id: 9, text: "new"))
        var steps = 0
        var outcomes: Set<String> = []

        while true {
            let memory = Relux.MemoryStorage()
            try await saved(in: memory).save(old)
            let failing = Failing(memory, after: .max)
            let persistence = saved(in: failing)
            _ = try await persistence.load(into: List())
            let limited = Failing(memory, after: steps)
            let limitedPersistence = saved(in: limited)
            _ = try await limitedPersistence.load(into: List())
            let isSaved = (try? await limitedPersistence.save(new)) != nil

            let found = try await loaded(from: memory)
            #expect(found == old || found == new, "after \(steps) steps: \(String(describing: found))")
            outcomes.insert(found == old ? "old" : "new")
            if isSaved { break }
            var newest = new
            newest.title = "newest"
            try await persistence.save(newest)
            #expect(try await loaded(from: memory) == newest)
            steps += 1
        }

        #expect(outcomes == ["old", "new"])
    }

    @Test("an erasure that ends after any of its steps leaves nothing or everything, and what is saved later is alone")
    func erasure() async throws {
        for steps in 0..<8 {
            let memory = Relux.MemoryStorage()
            try await saved(in: memory).save(list(3))
            try? await saved(in: Failing(memory, after: steps)).erase()

            let found = try await loaded(from: memory)
            #expect(found == nil || found == list(3), "\(steps)")
            let persistence = saved(in: memory)
            _ = try await persistence.load(into: List())
            try await persistence.save(list(1))
            #expect(try await loaded(from: memory) == list(1))
        }
    }

    /// A storage in which somebody else does something before one of the changes.
    private final class Shared: Relux.Storage {
        let memory: Relux.MemoryStorage
        private let left: Lock<Int>
        private let meddle: @Sendable () async throws -> Void

        init(_ memory: Relux.MemoryStorage, before count: Int, _ meddle: @escaping @Sendable () async throws -> Void) {
            (self.memory, self.meddle) = (memory, meddle)
            left = Lock(count)
        }

        private func count() async throws {
            let isDue = left.withLock { left in
                left -= 1
                return left == -1
            }
            if isDue { try await meddle() }
        }

        func read(_ key: String) async throws -> Data? { try await memory.read(key) }
        func keys() async throws -> [String] { try await memory.keys() }
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
            try await count()
            try await memory.update(keys, change)
        }
    }

    @Test(
        "an erasure leaves nothing of what somebody else saves meanwhile, whether in one record or in several",
        arguments: 0..<10, 0..<3)
    func sharedErasure(step: Int, kind: Int) async throws {
        let memory = Relux.MemoryStorage()
        try await saved(in: memory).save(list(3))
        let other = saved(in: memory)
        let storage = Shared(memory, before: step) { [self] in
            let found = try await other.load(into: List())
            var new = found ?? list(2)
            if kind != 0 { new.items[id: 1]?.text = "other" }
            if kind != 1 { new.title = "other" }
            try await other.save(new)
        }

        try await saved(in: storage).erase()

        #expect(memory.data.isEmpty)
    }

    @Test("a state that was saved whole gets records for its elements with the next save, all or nothing")
    func fromWhole() async throws {
        var steps = 0
        while true {
            let memory = Relux.MemoryStorage()
            try await Relux.Saved(List.self, as: "list", in: memory).save(list(3))
            let persistence = saved(in: Failing(memory, after: steps))
            var changed = try #require(try await persistence.load(into: List()))
            #expect(changed == list(3))
            changed.title = "changed"

            let isSaved = (try? await persistence.save(changed)) != nil

            let found = try #require(try await loaded(from: memory))
            #expect(found == list(3) || found == changed, "after \(steps) steps: \(found)")
            if isSaved {
                #expect(found == changed)
                #expect(try await memory.keys().count == 4)
                return
            }
            steps += 1
        }
    }

    @Test("a value that was never loaded replaces everything, all or nothing")
    func neverLoaded() async throws {
        var steps = 0
        while true {
            let memory = Relux.MemoryStorage()
            try await saved(in: memory).save(list(3))
            let new = List(title: "new", items: [Item(id: 2, text: "new"), Item(id: 7)])

            let isSaved = (try? await saved(in: Failing(memory, after: steps)).save(new)) != nil

            let found = try await loaded(from: memory)
            #expect(found == list(3) || found == new, "after \(steps) steps: \(String(describing: found))")
            if isSaved {
                #expect(found == new)
                return
            }
            steps += 1
        }
    }

    @Test("elements whose rest is missing are refused, kept, and set aside with it")
    func missingRest() async throws {
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(2))
        try await storage.remove("list")
        let persistence = saved(in: storage)

        let failure = await #expect(throws: Relux.LoadFailure.self) { try await persistence.load(into: List()) }
        guard case .damaged(let error as Relux.SavedDamage)? = failure, error == .missingRest else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try await storage.keys().count == 2)
        try await persistence.setAside()

        #expect(try await loaded(from: storage) == nil)
        try await persistence.save(list(1))
        #expect(try await loaded(from: storage) == list(1))
        #expect(try await storage.keys().count { $0.contains("aside") } == 2)
    }

    @Test("any id is a key of its own, and an instance doesn't share the keys of another state's elements")
    func anyID() async throws {
        let storage = Relux.MemoryStorage()
        func saved(_ id: String?) -> Relux.Saved<Words, Words> {
            Relux.Saved(Words.self, as: "words", in: storage, id: id, elements: \.words)
        }
        let ids = ["", "a", "/", "%", "%2F", ".", "x.aside-1", "\u{301}a", "é", "e\u{327}", "\u{FEFF}", "日本", "%_"]
        let words = Words(words: Relux.Entities(ids.map { Word(id: $0) }, keeping: .first))

        for id in [nil, "", "a", "/", "%"] {
            try await saved(id).save(
                Words(words: Relux.Entities(words.words.dropLast((id ?? "x").count), keeping: .last)))
        }

        for id in [nil, "", "a", "/", "%"] {
            let found = try await saved(id).load(into: Words())
            #expect(found?.words.map(\.id) == Array(ids.dropLast((id ?? "x").count)), "\(id ?? "nil")")
        }
    }

    @Test("what a version without elements has saved in between replaces them, and their records go")
    func wholeInBetween() async throws {
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(5))
        let record = SavedRecord(format: .json, version: 1, body: try JSONEncoder().encode(list(2)))
        try await storage.write(record.data, to: "list")
        let persistence = saved(in: storage)

        var found = try #require(try await persistence.load(into: List()))
        #expect(found == list(2))
        found.items.remove(id: 0)
        try await persistence.save(found)

        #expect(try await loaded(from: storage) == found)
        #expect(try await storage.keys().count == 2)
    }

    @Test("without `elements`, what was saved with them is refused, and set aside as a whole")
    func withoutElements() async throws {
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(2))
        let whole = Relux.Saved(List.self, as: "list", in: storage)

        let failure = await #expect(throws: Relux.LoadFailure.self) { try await whole.load(into: List()) }
        guard case .damaged(let error as Relux.SavedDamage)? = failure, error == .elementsElsewhere else {
            Issue.record("\(String(describing: failure))")
            return
        }
        try await whole.setAside()
        try await whole.save(list(1))

        #expect(try await whole.load(into: List()) == list(1))
        #expect(try await storage.keys().count { $0.contains("aside") } == 3)
    }

    @Test("what two writers change in different elements is kept, whatever the rule; in the same one, the rule decides")
    func conflicts() async throws {
        let merge = Relux.Conflict<List>.merge { base, ours, theirs in
            guard let theirs else { return ours }
            var merged = theirs
            for item in ours.items {
                let (old, other) = (base?.items[id: item.id]?.text ?? "", theirs.items[id: item.id]?.text)
                if let other, other != item.text {
                    merged.items[id: item.id]?.text = "\(other)+\(item.text.dropFirst(old.count))"
                }
            }
            if ours.title != theirs.title { merged.title = "\(theirs.title)+\(ours.title)" }
            return merged
        }
        for (conflict, text) in [(Relux.Conflict.keepOurs, "1a"), (.keepTheirs, "1b"), (merge, "1b+a")] {
            let storage = Relux.MemoryStorage()
            try await saved(in: storage).save(list(3))
            let (first, second) = (saved(in: storage, conflict: conflict), saved(in: storage, conflict: conflict))
            var ours = try #require(try await first.load(into: List()))
            var theirs = try #require(try await second.load(into: List()))

            theirs.items[id: 0]?.text = "theirs"
            theirs.items[id: 1]?.text = "1b"
            try await second.save(theirs)
            ours.items[id: 2]?.text = "ours"
            ours.items[id: 1]?.text = "1a"
            try await first.save(ours)

            let found = try #require(try await loaded(from: storage))
            #expect(found.items.map(\.text) == ["theirs", text, "ours"])
        }
    }

    @Test("a store that follows takes in elements that others save")
    func follows() async throws {
        struct Module: Relux.Module {
            let storage: any Relux.Storage
            var states: [any Relux.State] { [List()] }
            var persistence: [any Relux.StatePersistence] {
                [
                    Relux.Saved(
                        List.self, as: "list", in: storage, pace: .atOnce, elements: \.items,
                        follows: { .take($0 ?? List()) })
                ]
            }
        }
        let storage = Relux.MemoryStorage()
        let store = try await Relux.Store { Module(storage: storage) }
        let other = try await Relux.Store { Module(storage: storage) }
        let values = store.values(of: List.self)

        await other.dispatch(List.Action.change { $0.items.append(Item(id: 1, text: "theirs")) })
        for await list in values where list.items.count == 1 { break }
        await store.dispatch(List.Action.change { $0.items.append(Item(id: 2, text: "ours")) })
        try await store.saved()
        await other.dispatch(List.Action.change { $0.items[id: 1]?.text = "changed" })
        for await list in values where list.items[id: 1]?.text == "changed" { break }

        #expect(try await store.state(of: List.self).items.map(\.text) == ["changed", "ours"])
    }

    @Test(
        "elements are migrated by themselves, and what is damaged or too new is noticed in each",
        arguments: [false, true])
    func elementMigrations(ofBytes: Bool) async throws {
        struct OldItem: Decodable { var id: Int, text: String }
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(3))

        let second = saved(
            in: storage, version: 2, migrations: [Relux.Migration(from: 1) { $0 }],
            elementMigrations: [
                ofBytes
                    ? Relux.Migration(from: 1) { data in
                        let old = try JSONDecoder().decode(Item.self, from: data)
                        return try JSONEncoder().encode(Item(id: old.id, text: "new \(old.text)"))
                    }
                    : Relux.Migration(from: 1) { (old: OldItem) in Item(id: old.id, text: "new \(old.text)") }
            ])
        var list = try #require(try await second.load(into: List()))
        #expect(list.items.map(\.text) == ["new 0", "new 1", "new 2"])
        list.items[id: 1]?.text = "saved"
        try await second.save(list)

        await #expect(throws: Relux.LoadFailure.self) { try await saved(in: storage).load(into: List()) }
        let key = try #require(storage.data.keys.first { $0.hasSuffix("//2") })
        try await storage.write(Data("damaged"), to: key)
        await #expect(throws: Relux.LoadFailure.self) { try await second.load(into: List()) }
    }

    @Test("a new field of an element is named as that: the error shows what to write, for the element's own version")
    func newFieldOfElement() async throws {
        struct NewItem: Codable, Equatable, Identifiable, Sendable { let id: Int, text: String, color: String }
        struct NewList: Relux.State, Codable {
            var title = ""
            var items = Relux.Entities<NewItem>()
            enum Action: Relux.Action { case none }
            mutating func reduce(_ action: Action) {}
        }
        func advice(version: Int) async throws -> String {
            let new = Relux.Saved(
                NewList.self, as: "list", version: version, in: storage,
                migrations: (1..<version).map { Relux.Migration(from: $0) { $0 } }, elements: \.items)
            return
                "\(try #require(await #expect(throws: Relux.LoadFailure.self) { try await new.load(into: NewList()) }))"
        }
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(1))
        let migrations = [Relux.Migration(from: 1) { $0 }]

        let first = try await advice(version: 1)
        let second = saved(in: storage, version: 2, migrations: migrations)
        var list = try #require(try await second.load(into: List()))
        list.title = "other"
        try await second.save(list)

        #expect(first.contains("“color” is missing. If NewItem has changed since version 1, raise the version and add"))
        #expect(
            first.contains(
                """
                    version: 2,
                    migrations: [Migration(from: 1) { $0 }],
                    elementMigrations: [Migration(from: 1) { (old: …) in NewItem(…) }]
                """))
        #expect(
            try await advice(version: 2).contains(
                "“color” is missing, so the elementMigrations from version 1 to 2 don't lead to NewItem"))
    }

    @Test("many elements are loaded beside a store that saves without pause")
    func loadingBesideSaves() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "log")
        let writer = saved(in: Relux.LogStorage(file: path))
        var list = list(1000)
        try await writer.save(list)
        let saves = Task { [list] in
            var (list, number) = (list, 1000)
            while !Task.isCancelled {
                list.items.append(Item(id: number))
                list.items[id: 1]?.text = "\(number)"
                try await writer.save(list)
                number += 1
            }
        }

        let found = try await loaded(from: Relux.LogStorage(file: path))
        saves.cancel()

        #expect(try #require(found).items.count >= 1000)
        list = try #require(try await loaded(from: Relux.LogStorage(file: path)))
        _ = try await saves.value
    }

    @Test("a damaged element whose file doesn't tell its key keeps nobody from saving an element with its id again")
    func damagedLongKey() async throws {
        let folder = try TemporaryFolder()
        let storage = Relux.FileStorage(folder: folder.url)
        func saved() -> Relux.Saved<Words, Words> {
            Relux.Saved(Words.self, as: "words", in: storage, elements: \.words)
        }
        let long = String(repeating: "long", count: 100)
        let words = Words(words: [Word(id: "short"), Word(id: long)])
        try await saved().save(words)
        try Data("damaged").write(to: folder.url.appending(path: FileName.of("words//\(long)")))

        await #expect(throws: Relux.LoadFailure.self) { try await saved().load(into: Words()) }
        try await saved().setAside()
        let next = saved()
        #expect(try await next.load(into: Words()) == nil)
        try await next.save(words)

        #expect(try await saved().load(into: Words()) == words)
    }

    @Test("elements that others save while a store sets aside or erases what was there stay whole, in any order")
    func damageOfSeveral() async throws {
        await Simulation.explore(seeds: 0..<400) { world in
            let storage = world.storage()
            try await saved(in: storage).save(list(2))
            try await storage.write(Data("damaged"), to: world.fails(0.5) ? "list" : "list//1")
            let isErased = world.fails(0.5)
            for id in [7, 8] {
                world.task("\(id)") {
                    let saved = saved(in: storage)
                    if isErased, id == 8 { return try await saved.erase() }
                    try await saved.setAside()
                    try await saved.save(List(items: Relux.Entities([Item(id: id)], keeping: .first)))
                }
            }
            await world.settled()

            _ = try await loaded(from: storage)
            let aside = storage.data.keys.filter { $0.contains("aside") }.sorted()
            #expect(aside.isEmpty || aside == ["list.aside-1", "list//0.aside-1", "list//1.aside-1"])
        }
    }

    private struct WordsModule: Relux.Module {
        let persistence: [any Relux.StatePersistence]
        var states: [any Relux.State] { [Words()] }
    }

    @Test(
        "setting aside is reported once, although it fails when the data have been moved, or some of them",
        arguments: ["fsync", "rename"])
    func setAsideInPart(failing call: String) async throws {
        let folder = try TemporaryFolder()
        let moves = Box(0)
        func storage(_ before: @escaping @Sendable (String, String) throws -> Void = { _, _ in }) -> Relux.FileStorage {
            Relux.FileStorage(
                folder: folder.url,
                files: FileSystem(durability: call == "fsync" ? .power : .kill, before: before))
        }
        func saved(in storage: Relux.FileStorage) -> Relux.Saved<Words, Words> {
            Relux.Saved(Words.self, as: "words", in: storage, unreadable: .setAside, elements: \.words)
        }
        try await saved(in: storage()).save(Words(words: [Word(id: "a"), Word(id: "b")]))
        try Data("damaged").write(to: folder.url.appending(path: FileName.of("words")))
        // The first failure after a file has got its other name.
        let faulty = storage { name, path in
            if name == "rename", !path.hasSuffix(".tmp") { moves.value += 1 }
            guard name == call, moves.value == (call == "rename" ? 2 : 3) else { return }
            moves.value += 1
            throw Relux.StorageError.system(call: name, path: path, code: EIO)
        }
        let (observer, module) = (RecordingObserver(), WordsModule(persistence: [saved(in: faulty)]))

        let store = try await Relux.Store(.init(observers: [observer])) { module }

        #expect(moves.value > 3)
        #expect(try await store.state(of: Words.self) == Words())
        #expect(folder.names.count { $0.contains(".aside-") } == 3)
        let reasons = observer.refusals.map(\.reason)
        guard reasons.count == 1, case .notLoaded(.damaged) = reasons[0] else {
            Issue.record("\(reasons)")
            return
        }
    }

    @Test("versions that no program has are refused, or migrated at once", arguments: [Int.min, -1, .max])
    func versions(version: Int) async throws {
        let storage = Relux.MemoryStorage()
        try await saved(in: storage).save(list(2))
        let key = try #require(storage.data.keys.first { $0.hasSuffix("//1") })
        for key in [key, "list"] {
            let record = try SavedRecord(try #require(storage.data[key]))
            let other = SavedRecord(
                format: record.format, version: version, body: record.body, generation: record.generation,
                elementCount: record.elementCount, rank: record.rank)
            try await storage.write(other.data, to: key)
            if key == "list" || version == .max {
                await #expect(throws: Relux.LoadFailure.self) { try await loaded(from: storage) }
            } else {
                #expect(try await loaded(from: storage) == list(2))
            }
        }
    }

    @Test("equal ids are one element, whatever their texts")
    func equalIDs() async throws {
        struct Point: Codable, Equatable, Identifiable, Sendable {
            let id: Name
            var text = ""
        }
        struct Points: Relux.State, Codable {
            var points = Relux.Entities<Point>()
            enum Action: Relux.Action { case none }
            mutating func reduce(_ action: Action) {}
        }
        let storage = Relux.MemoryStorage()
        let persistence = Relux.Saved(Points.self, as: "points", in: storage, elements: \.points)
        var points = Points(points: [Point(id: Name("a")), Point(id: Name("b"))])
        try await persistence.save(points)
        points.points.upsert(Point(id: Name("A"), text: "changed"))
        try await persistence.save(points)
        points.points.remove(id: Name("B"))
        try await persistence.save(points)

        let found = try await Relux.Saved(Points.self, as: "points", in: storage, elements: \.points).load(
            into: Points())
        #expect(found == points)
        #expect(try await storage.keys().count == 2)
        #expect(SavedKey.of("page", id: -0.0) == SavedKey.of("page", id: 0.0))
    }

    @Test("saving one element of many compares and writes no more than saving one of few")
    func cost() async throws {
        func comparisons(_ count: Int) async throws -> Int {
            let persistence = Relux.Saved(Weighed.self, as: "weighed", in: Relux.MemoryStorage(), elements: \.items)
            var weighed = Weighed(items: Relux.Entities((0..<count).map { WeighedItem(id: $0) }, keeping: .first))
            try await persistence.save(weighed)
            let before = WeighedItem.comparisons.value
            weighed.items[id: count / 2]?.text = "changed"
            try await persistence.save(weighed)
            return WeighedItem.comparisons.value - before
        }

        let (few, many) = (try await comparisons(100), try await comparisons(20_000))

        #expect(many <= few + 200, "\(few) and \(many)")
    }
}

/// A name that ignores its case.
private struct Name: Codable, Hashable, Sendable, LosslessStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func == (lhs: Name, rhs: Name) -> Bool { lhs.description.lowercased() == rhs.description.lowercased() }
    func hash(into hasher: inout Hasher) { hasher.combine(description.lowercased()) }
}

/// An item that counts its comparisons.
private struct WeighedItem: Codable, Equatable, Identifiable, Sendable {
    static let comparisons = Box(0)

    let id: Int
    var text = ""

    static func == (lhs: WeighedItem, rhs: WeighedItem) -> Bool {
        comparisons.value += 1
        return lhs.id == rhs.id && lhs.text == rhs.text
    }
}

private struct Weighed: Relux.State, Codable {
    var items = Relux.Entities<WeighedItem>()
    enum Action: Relux.Action { case none }
    mutating func reduce(_ action: Action) {}
}
