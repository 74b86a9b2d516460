import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@testable import ReluxPersistence

/// The history of an `Undoable`, of which each step is saved under a key of its own.
@Suite("Saved histories", .timeLimit(.minutes(10)))
struct SavedHistoryTests {
    struct Text: Relux.UndoableState, Codable, Hashable {
        var text = ""

        enum Action: Relux.Action { case type(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .type(let text): self.text += text
            }
        }
    }

    typealias History = Relux.Undoable<Text>

    private func saved(
        in storage: any Relux.Storage, conflict: Relux.Conflict<History> = .keepOurs
    ) -> Relux.Saved<History, History> {
        Relux.Saved(History.self, as: "text", in: storage, conflict: conflict)
    }

    /// A history as it is saved.
    private func sealed(_ history: History) -> History {
        var history = history
        history.reduce(.seal)
        return history
    }

    /// All states of a history, oldest first, and the number of undone steps.
    private func timeline(_ history: History) -> [String] {
        var history = history
        let undone = history.redoCount
        while history.canRedo { history.reduce(.redo) }
        var texts = [history.present.text]
        while history.canUndo {
            history.reduce(.undo)
            texts.append(history.present.text)
        }
        return texts.reversed() + ["\(undone)"]
    }

    // MARK: Cost

    /// A storage that counts the bytes that are written.
    private final class Counting: Relux.Storage {
        let memory = Relux.MemoryStorage()
        let written = Box(0)

        func read(_ key: String) async throws -> Data? { try await memory.read(key) }
        func keys() async throws -> [String] { try await memory.keys() }
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
            try await memory.update(keys) { data in
                let old = data
                try change(&data)
                written.value += data.filter { old[$0.key] != $0.value }.values.map(\.count).reduce(0, +)
            }
        }
    }

    @Test("after many steps, a save writes and encodes the present state and at most one step")
    func cost() async throws {
        let storage = Counting()
        let saved = Relux.Saved(Relux.Undoable<Pages>.self, as: "pages", in: storage)
        var pages = Relux.Undoable(Pages(texts: (0..<2_000).map { "item \($0)" }), limit: 50)
        for number in 0..<60 { pages.update(as: .step) { $0.texts[number] = "changed" } }
        try await saved.save(pages)
        let size = try #require(storage.memory.data["pages"]).count
        let changes: [(inout Relux.Undoable<Pages>) -> Void] = [
            { $0.update(as: .step) { $0.texts[100] = "step" } },
            { $0.reduce(.undo) },
            { $0.reduce(.undo) },
            { $0.reduce(.redo) },
            { $0.update(as: .merging(1)) { $0.texts[101] = "new step" } },
            { $0.update(as: .merging(1)) { $0.texts[101] = "longer" } },
            { $0.update(as: .passing) { $0.texts[102] = "passing" } },
        ]

        for (index, change) in changes.enumerated() {
            change(&pages)
            let (written, encodings) = (storage.written.value, Pages.encodings.value)
            try await saved.save(pages)
            #expect(storage.written.value - written < 3 * size, "change \(index)")
            #expect(Pages.encodings.value - encodings <= 2, "change \(index)")
        }

        let found = try await Relux.Saved(Relux.Undoable<Pages>.self, as: "pages", in: storage)
            .load(into: Relux.Undoable(Pages(), limit: 50))
        pages.reduce(.seal)
        #expect(found == pages)
    }

    // MARK: What is loaded

    @Test("what is loaded has the state and the steps that were saved, whatever was done before, over 100 seeds")
    func model() async throws {
        for seed in 0..<100 {
            var random = SeededGenerator(seed: UInt64(seed))
            let storage = Relux.MemoryStorage()
            let initial = History(Text(), limit: Int.random(in: 1...6, using: &random))
            var (saved, history) = (saved(in: storage), initial)
            for step in 0..<60 {
                change(&history, to: "\(step)", using: &random)
                guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
                try await saved.save(history)
                let other = self.saved(in: storage)
                let found = try #require(try await other.load(into: initial))
                #expect(found == sealed(history), "seed \(seed), step \(step)")
                #expect(timeline(found) == timeline(history), "seed \(seed), step \(step)")
                if Bool.random(using: &random) { (saved, history) = (other, found) }
            }
        }
    }

    private func change(_ history: inout History, to text: String, using random: inout SeededGenerator) {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: history.update(as: .step) { $0.text = text }
        case 4..<6: history.update(as: .merging(0)) { $0.text = text }
        // A change that joins a step and takes it back.
        case 6: history.update(as: .merging(0)) { $0.text = "" }
        case 7: history.update(as: .passing) { $0.text = text }
        case 8..<12: history.reduce(.undo)
        case 12..<14: history.reduce(.redo)
        case 14: history.reduce(.seal)
        default: if text.hasSuffix("7") { history.reduce(.forget) }
        }
    }

    @Test(
        "with any rule, what two writers leave is the history of one of them, or what the rule has made",
        arguments: 0..<3)
    func neverMixed(rule: Int) async throws {
        for seed in 0..<60 {
            var random = SeededGenerator(seed: UInt64(seed))
            let storage = Relux.MemoryStorage()
            let known = Lock<Set<History>>([])
            let merge = Relux.Conflict<History>.merge { _, ours, theirs in
                guard var merged = theirs else { return ours }
                merged.update(as: .step) { $0.text += "+\(ours.present.text)" }
                known.withLock { [merged] in _ = $0.insert(merged) }
                return merged
            }
            let initial = History(Text(), limit: 4)
            var histories = [initial, initial]
            var writers = histories.map { _ in saved(in: storage, conflict: [.keepOurs, .keepTheirs, merge][rule]) }
            for step in 0..<60 {
                let writer = Int.random(in: 0...1, using: &random)
                for part in 0..<Int.random(in: 1...4, using: &random) {
                    change(&histories[writer], to: "\(writer).\(step).\(part)", using: &random)
                }
                known.withLock { [history = sealed(histories[writer])] in _ = $0.insert(history) }
                try await writers[writer].save(histories[writer])
                let other = saved(in: storage, conflict: [.keepOurs, .keepTheirs, merge][rule])
                let found = try #require(try await other.load(into: initial))
                #expect(known.withLock { $0.contains(found) }, "seed \(seed), step \(step)")
                if Int.random(in: 0..<3, using: &random) == 0 { (writers[writer], histories[writer]) = (other, found) }
            }
        }
    }

    @Test("a migration is for the state, and for that of each step; a history can be added without one")
    func migrations() async throws {
        struct Title: Relux.UndoableState, Codable {
            var title = ""
            enum Action: Relux.Action { case none }
            mutating func reduce(_ action: Action) {}
        }
        let storage = Relux.MemoryStorage()
        try await Relux.Saved(Text.self, as: "text", in: storage).save(Text(text: "a"))
        let initial = History(Text())
        let first = saved(in: storage)
        var history = try #require(try await first.load(into: initial))
        for text in ["b", "c"] { history.apply(.type(text)) }
        history.reduce(.undo)
        try await first.save(history)
        func titles(_ migrations: [Relux.Migration]) async throws -> Relux.Undoable<Title>? {
            try await Relux.Saved(
                Relux.Undoable<Title>.self, as: "text", version: migrations.count + 1, in: storage,
                migrations: migrations
            ).load(into: Relux.Undoable(Title()))
        }

        var found = try #require(try await titles([.init(from: 1) { (old: Text) in Title(title: old.text + "!") }]))
        let error = await #expect(throws: Relux.LoadFailure.self) { try await titles([]) }

        #expect(error.map { "\($0)" }?.contains("Migration(from: 1) { (old: …) in Title(…) }") == true)
        #expect(found.present.title == "ab!")
        found.reduce(.undo)
        #expect(found.present.title == "a!" && found.undoCount == 0 && found.redoCount == 2)
        for _ in 0..<2 { found.reduce(.redo) }
        #expect(found.present.title == "abc!")
    }

    @Test(
        "a step under a key that no history has is damage",
        arguments: ["x", "", "0", "+1", "01", "1.0", "9223372036854775807", "-9223372036854775808"])
    func strangeKeys(part: String) async throws {
        let storage = Relux.MemoryStorage()
        var history = History(Text())
        history.apply(.type("a"))
        try await saved(in: storage).save(history)
        let key = "text//\(part)"
        try await storage.update(["text//1", key]) { $0[key] = $0.removeValue(forKey: "text//1") }

        let error = await #expect(throws: Relux.LoadFailure.self) { try await saved(in: storage).load(into: history) }

        guard case .damaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    // MARK: What is worth saving

    @Test("a history that isn't saved is not worth saving, nor is the end of a step", arguments: [true, false])
    func worth(savesHistory: Bool) {
        let saved = saved(in: Relux.MemoryStorage())
        var history = History(Text(), savesHistory: savesHistory)
        history.update(as: .merging(0)) { $0.text = "a" }
        func isWorthSaving(after actions: History.Action...) -> Bool {
            saved.isWorthSaving(history, actions.reduce(into: history) { $0.reduce($1) })
        }

        #expect(!isWorthSaving(after: .seal))
        #expect(!isWorthSaving(after: .undo, .redo))
        #expect(isWorthSaving(after: .undo))
        #expect(isWorthSaving(after: .forget) == savesHistory)
    }

    private struct Module: Relux.Module {
        let initial: History
        let storage: any Relux.Storage
        var conflict = Relux.Conflict<History>.keepOurs
        var states: [any Relux.State] { [initial] }
        var reducers: [Relux.Reducer] { [History.reducer] }
        var persistence: [any Relux.StatePersistence] {
            [
                Relux.Saved(
                    History.self, as: "text", in: storage, conflict: conflict,
                    follows: { [initial] in .adopt($0 ?? initial) })
            ]
        }
    }

    @Test("whatever stores do that follow each other, they agree on the state and its steps in the end, with any rule")
    func agreement() async throws {
        let merge = Relux.Conflict<History>.merge { _, ours, theirs in
            guard var merged = theirs else { return ours }
            merged.update(as: .step) { $0.text = "\($0.text.suffix(5))+\(ours.present.text.suffix(5))" }
            return merged
        }
        let report = await Simulation.explore(seeds: seeds(200)) { world in
            world.expectFailure(SimulatedStorage.Fault.self)
            let rule = [.keepOurs, .keepTheirs, merge][world.random(in: 0...2)]
            let storage = world.storage(latency: .zero ... .milliseconds(3), failure: world.fails(0.5) ? 0.1 : 0)
            var stores: [(store: Relux.Store, initial: History)] = []
            while stores.count < 2 {
                let initial = History(Text(), limit: world.random(in: 0...4), savesHistory: !world.fails(0.2))
                let store = try? await world.store { Module(initial: initial, storage: storage, conflict: rule) }
                if let store { stores.append((store, initial)) }
            }
            let tasks = stores.enumerated().map { index, store in
                world.task {
                    for number in 0..<10 {
                        try? await world.latency(.zero ... .milliseconds(200))
                        switch world.random(in: 0...7) {
                        case 0...3: await store.store.dispatch(Text.Action.type("\(index)\(number)"))
                        case 4: await store.store.dispatch(History.Action.redo)
                        case 5: try? await store.store.saved()
                        default: await store.store.dispatch(History.Action.undo)
                        }
                    }
                    for _ in 0..<200 where (try? await store.store.saved()) == nil {}
                    try await store.store.saved()
                }
            }
            for task in tasks { try await task.value }
            await world.settled()
            // Followers still read, and repeat what has failed.
            try await world.clock.sleep(for: .seconds(1000))
            await world.settled()

            for (store, initial) in stores {
                let own = try await store.state(of: History.self)
                let found = try await saved(in: Relux.MemoryStorage(storage.data)).load(into: initial) ?? initial
                if own.present != found.present { Issue.record("a store has \(own), and \(found) is saved") }
                if initial.savesHistory, sealed(own) != found { Issue.record("\(own) is not \(found)") }
            }
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test(
        "what others have saved counts as taken in, also with another limit or choice, and nothing echoes",
        arguments: [
            History(Text(), limit: 2), History(Text(), limit: 0), History(Text(), savesHistory: false),
        ])
    func otherConfiguration(initial: History) async throws {
        let storage = Relux.MemoryStorage()
        let first = try await Relux.Store { Module(initial: History(Text(), limit: 10), storage: storage) }
        let second = try await Relux.Store { Module(initial: initial, storage: storage) }

        for (letter, expected) in [("a", "aaaa"), ("b", "aaaabbbb")] {
            for _ in 0..<4 { await first.dispatch(Text.Action.type(letter)) }
            try await first.saved()
            _ = try await second.wait(until: History.self) { $0.present.text == expected }
            let before = storage.data
            try await second.saved()
            #expect(storage.data == before)
        }

        let history = try await second.state(of: History.self)
        #expect(history.undoCount == (initial.savesHistory ? initial.limit : 0))
        #expect(history.limit == initial.limit)
        #expect(try await first.state(of: History.self).undoCount == 8)
        // Its own change is saved with the history that it has.
        await second.dispatch(Text.Action.type("c"))
        try await second.saved()
        let found = try #require(try await saved(in: storage).load(into: History(Text())))
        #expect(found.present.text == "aaaabbbbc" && found.undoCount == (initial.savesHistory ? initial.limit : 0))
    }
}

/// A state that counts how often it is encoded.
private struct Pages: Relux.UndoableState, Codable {
    static let encodings = Box(0)

    var texts: [String] = []

    enum Action: Relux.Action { case none }

    mutating func reduce(_ action: Action) {}

    init(texts: [String] = []) { self.texts = texts }

    init(from decoder: any Decoder) throws { texts = try decoder.singleValueContainer().decode([String].self) }

    func encode(to encoder: any Encoder) throws {
        Self.encodings.value += 1
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }
}
