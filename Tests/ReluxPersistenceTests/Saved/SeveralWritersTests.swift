import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@testable import ReluxPersistence

/// What stores that share a storage do to each other, step by step.
@Suite("Writers that share a storage", .timeLimit(.minutes(10)))
struct SeveralWritersTests {
    private struct Item: Codable, Equatable, Identifiable, Sendable {
        let id: String
        var text = ""
    }

    private struct List: Relux.State, Codable {
        var items = Relux.Entities<Item>()
        var note = ""

        enum Action: Relux.Action { case put(Item), remove(String), note(String), take(List?), ignored(List?) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .put(let item): items.upsert(item)
            case .remove(let id): items.remove(id: id)
            case .note(let note): self.note = note
            case .take(let list): self = list ?? List()
            case .ignored: break
            }
        }
    }

    private struct Module: Relux.Module {
        let persistence: [any Relux.StatePersistence]
        var rules: [Relux.Rule] = []
        var states: [any Relux.State] { [List()] }
    }

    private let storage = Relux.MemoryStorage()

    private func saved(
        elements: Bool = true, onReset: Relux.SavedRule = .save, _ conflict: Relux.Conflict<List> = .keepOurs,
        follows: (@Sendable (List?) -> List.Action)? = nil
    ) -> Relux.Saved<List, List> {
        elements
            ? Relux.Saved(
                List.self, as: "list", in: storage, pace: .atOnce, onReset: onReset, conflict: conflict,
                elements: \.items, follows: follows)
            : Relux.Saved(
                List.self, as: "list", in: storage, pace: .atOnce, onReset: onReset, conflict: conflict,
                follows: follows)
    }

    private func store(
        _ saved: Relux.Saved<List, List>, rules: [Relux.Rule] = [], middleware: [any Relux.Middleware] = []
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(middleware: middleware)) { Module(persistence: [saved], rules: rules) }
    }

    private func loaded(elements: Bool = true) async throws -> List? {
        try await saved(elements: elements).load(into: List())
    }

    private func put(_ id: String, _ text: String = "", in store: Relux.Store) async throws {
        await store.dispatch(List.Action.put(Item(id: id, text: text)))
        try await store.saved()
    }

    /// A merge that records what others have saved, and keeps both.
    private func merging(_ theirs: Box<[List?]>) -> Relux.Conflict<List> {
        .merge { _, ours, others in
            theirs.value.append(others)
            guard var others else { return ours }
            for item in ours.items { others.items.upsert(item) }
            return others
        }
    }

    @Test("elements that one store changes after another one has erased everything can be loaded")
    func changeAfterErasure() async throws {
        let first = try await store(saved())
        try await put("a", in: first)
        try await put("b", in: first)
        let second = try await store(saved(onReset: .erase))

        await second.reset()
        #expect(storage.data.isEmpty)
        try await put("a", "changed", in: first)

        #expect(try await loaded()?.items.map(\.text) == ["changed", ""])
    }

    @Test("what one store has removed doesn't come back with a save of another one, even if that had failed")
    func removed() async throws {
        let first = try await store(saved())
        try await put("x", in: first)
        try await put("y", in: first)
        let second = try await store(saved())
        await second.dispatch(List.Action.remove("x"))
        try await second.saved()

        try await put("z", in: first)

        #expect(try await loaded()?.items.map(\.id) == ["y", "z"])
    }

    @Test(
        "what a rule adds to the step of a change by others is saved, under each rule for conflicts", arguments: 0..<3)
    func rules(rule: Int) async throws {
        let conflict = [Relux.Conflict.keepOurs, .keepTheirs, merging(Box([]))][rule]
        let adding = Relux.Rule(on: List.Action.self) { action, _ in
            if case .take = action { [List.Action.put(Item(id: "added"))] } else { [] }
        }
        let first = try await store(saved(conflict, follows: { .take($0) }), rules: [adding])
        let second = try await store(saved())
        try await put("theirs", in: second)

        _ = try await first.wait(until: List.self) { $0.items.count == 2 }
        try await first.saved()

        #expect(try await loaded()?.items.map(\.id) == ["theirs", "added"])
    }

    @Test(
        "what a reducer or a middleware has ignored, or came before a replacement, isn't overwritten unasked",
        arguments: ["reducer", "middleware", "replacement"])
    func ignored(how: String) async throws {
        struct Dropping: Relux.Middleware {
            func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
                if case .take? = action as? List.Action { .drop(reason: "the user is typing") } else { .proceed }
            }
        }
        let theirs = Box<[List?]>([])
        let take: @Sendable (List?) -> List.Action = { how == "reducer" ? .ignored($0) : .take($0) }
        let follows = how == "replacement" ? nil : take
        let ignoring = saved(elements: false, merging(theirs), follows: follows)
        let first = try await store(ignoring, middleware: [Dropping()])
        let actions = first.actionStream(of: List.Action.self)
        try await put("first", in: first)
        let second = try await store(saved(elements: false))
        try await put("second", in: second)

        if how == "reducer" { for await action in actions { if case .ignored = action { break } } }
        if how == "replacement" {
            try await first.replace(Module(persistence: [saved(elements: false, merging(theirs))]))
        }
        try await put("more", in: first)

        #expect(try await loaded(elements: false)?.items.map(\.id) == ["first", "second", "more"])
        #expect(theirs.value.count == 1)
    }

    @Test(
        "an erasure is a change: theirs stays erased, ours is written, and a merge gets nil", arguments: [false, true])
    func erasure(elements: Bool) async throws {
        func outcome(_ conflict: Relux.Conflict<List>) async throws -> [String]? {
            let first = try await store(saved(elements: elements, conflict))
            try await put("ours", in: first)
            let second = try await store(saved(elements: elements, onReset: .erase))
            await second.reset()
            try await put("more", in: first)
            let found = try await loaded(elements: elements)
            await first.shutdown()
            try await saved(elements: elements).erase()
            return found?.items.map(\.id)
        }
        let theirs = Box<[List?]>([])

        #expect(try await outcome(.keepTheirs) == nil)
        #expect(try await outcome(.keepOurs) == ["ours", "more"])
        #expect(try await outcome(merging(theirs)) == ["ours", "more"])
        #expect(theirs.value.last == .some(nil))
        #expect(try await outcome(.merge { _, _, theirs in theirs }) == nil)
    }

    @Test("a store that follows an erasure takes it in, and the next save has nothing to bring back")
    func followedErasure() async throws {
        let first = try await store(saved(follows: { .take($0) }))
        try await put("secret", in: first)
        let second = try await store(saved(onReset: .erase))

        await second.reset()
        _ = try await first.wait(until: List.self) { $0.items.isEmpty }
        try await put("new", in: first)

        #expect(try await loaded()?.items.map(\.id) == ["new"])
    }

    @Test("a change is saved by a clock that returns too early, and the store becomes idle")
    func earlyClock() async throws {
        let clock = ManualClock()
        let early = EarlyClock(clock)
        let store = try await Relux.Store(.init(clock: early)) {
            Module(persistence: [
                Relux.Saved(List.self, as: "list", in: storage, pace: .within(.milliseconds(250)))
            ])
        }
        await store.dispatch(List.Action.put(Item(id: "a")))
        await clock.advance(by: .milliseconds(249))
        await clock.advance(by: .milliseconds(10))
        try await store.idle()

        #expect(try await Relux.Saved(List.self, as: "list", in: storage).load(into: List())?.items.count == 1)
    }

    @Test("a save whose merge takes longer than others need for a save ends", arguments: [false, true])
    func slowMerge(elements: Bool) async throws {
        let merges = Box(0)
        let slow = saved(
            elements: elements,
            .merge { [storage] _, ours, _ in
                merges.value += 1
                // Others save while it computes, as long as they can: with elements, another one each time. Ends the
                // test if the save doesn't.
                let number = merges.value
                guard number < 100 else { return ours }
                @Sendable func data(_ value: some Encodable & Sendable, _ elementCount: Int? = nil) throws -> Data {
                    SavedRecord(
                        format: .json, version: 1, body: try JSONEncoder().encode(value), elementCount: elementCount
                    ).data
                }
                let (isSaved, isLate) = (DispatchSemaphore(value: 0), Box(false))
                DispatchQueue.global().async {
                    _ = try? storage.exclusively(["list", "list//\(number)"]) { present in
                        guard !isLate.value else { return [:] }
                        let count = try SavedRecord(present["list"] ?? Data()).elementCount.map { $0 + 1 }
                        let item = try elements ? data(Item(id: "\(number)")) : nil
                        return ["list": try data(List(note: "\(number)"), count), "list//\(number)": item]
                    }
                    isSaved.signal()
                }
                // Under the lock, they can't.
                isLate.value = isSaved.wait(timeout: .now() + .milliseconds(500)) == .timedOut
                return ours
            })
        let first = try await store(slow)
        try await put("a", in: first)
        let second = try await store(saved(elements: elements))
        await second.dispatch(List.Action.note("theirs"))
        try await second.saved()

        await first.dispatch(List.Action.note("ours"))
        try await put("c", in: first)

        #expect(merges.value < 10)
        let found = try #require(try await loaded(elements: elements))
        #expect(found.note == "ours" && Set(found.items.map(\.id)).isSuperset(of: ["a", "c"]))
    }

    @Test("a merge that gives what it adds a new id each time ends")
    func newIDs() async throws {
        let merges = Box(0)
        let first = try await store(
            saved(
                .merge { _, ours, theirs in
                    merges.value += 1
                    // Ends the test if the save doesn't.
                    let copy = Item(id: merges.value < 100 ? "\(merges.value)" : "last", text: theirs?.note ?? "")
                    return List(items: Relux.Entities(ours.items + [copy], keeping: .first), note: ours.note)
                }))
        let second = try await store(saved())
        await second.dispatch(List.Action.note("theirs"))
        try await second.saved()

        await first.dispatch(List.Action.note("ours"))
        try await first.saved()

        #expect(merges.value < 10)
        #expect(try await loaded()?.items.map(\.text) == ["theirs"])
    }

    /// A storage whose changes can fail.
    private struct FaultyStorage: Relux.Storage {
        let storage: Relux.MemoryStorage
        let isFailing = Box(false)
        let failures = Gate()

        func read(_ key: String) async throws -> Data? { try await storage.read(key) }
        func keys() async throws -> [String] { try await storage.keys() }
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
            guard isFailing.value else { return try await storage.update(keys, change) }
            await failures.pass()
            throw TestFailure()
        }
        func changes(of key: String) -> AsyncStream<Void> { storage.changes(of: key) }
    }

    @Test("a change of others that waits for a save is taken in, although that save fails and is given up")
    func changeBesideFailedSave() async throws {
        let faulty = FaultyStorage(storage: storage)
        let first = try await store(
            Relux.Saved(
                List.self, as: "list", in: faulty, pace: .within(.seconds(1000)), onReset: .keep,
                follows: { .take($0) }))
        let second = try await store(saved(elements: false))
        await first.dispatch(List.Action.note("ours"))
        faulty.isFailing.value = true

        try await put("theirs", in: second)
        await faulty.failures.arrivals(atLeast: 1)
        let reset = Task { await first.reset() }
        faulty.failures.open()
        await reset.value
        faulty.isFailing.value = false

        _ = try await first.wait(until: List.self) { $0.items.count == 1 }
    }
}
