import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Test stores and persistence", .timeLimit(.minutes(10)))
struct TestStorePersistenceTests {
    private struct Counter: Relux.State {
        var count = 0

        enum Action: Relux.Action, Hashable { case up }

        mutating func reduce(_ action: Action) { count += 1 }
    }

    private struct Failure: Error {}

    /// Keeps a counter in memory.
    private final class Place: Relux.StatePersistence {
        typealias S = Counter

        private let value: Lock<Counter?>
        private let fails: Bool

        init(_ value: Counter? = nil, fails: Bool = false) {
            self.value = Lock(value)
            self.fails = fails
        }

        var saved: Int? { value.withLock { $0?.count } }

        func load(into initial: Counter) async throws(Relux.LoadFailure) -> Counter? {
            if fails, saved == nil { throw .unavailable(Failure()) }
            return value.withLock { $0 }
        }
        func save(_ state: Counter) async throws {
            if fails { throw Failure() }
            value.withLock { $0 = state }
        }
        func erase() async throws { value.withLock { $0 = nil } }
        func setAside() async throws {}
        var unreadable: Relux.UnreadableRule { .startUnsaved }
    }

    private struct Module: Relux.Module {
        let place: Place
        var states: [any Relux.State] { [Counter()] }
        var persistence: [any Relux.StatePersistence] { [place] }
    }

    private struct Visit: Relux.Effect {}

    /// Counts once work that has left the scheduler returns.
    private struct Visiting: Relux.Module {
        let gate: Gate
        var sagas: [any Relux.Saga] {
            [
                Relux.Reaction(to: Visit.self) { [gate] _, context in
                    await Task.detached { await gate.pass() }.value
                    await context.dispatch(Counter.Action.up)
                }
            ]
        }
    }

    @Test("by default, a test store loads and saves nothing")
    func off() async throws {
        let place = Place(Counter(count: 7))
        let store = try await TestStore { Module(place: place) }

        await store.dispatch(.up, to: Counter.self) { $0.count = 1 }
        await store.finish()

        #expect(place.saved == 7)
    }

    @Test("with persistence, it starts with what was saved, and finish() saves what is unsaved")
    func on() async throws {
        let place = Place(Counter(count: 7))
        let store = try await TestStore(persistence: .on) { Module(place: place) }

        await store.dispatch(.up, to: Counter.self) { $0.count = 8 }
        #expect(place.saved == 7)
        await store.finish()

        #expect(place.saved == 8)
    }

    @Test("what changes while the end waits for work elsewhere is saved too")
    func changedElsewhere() async throws {
        let (place, gate) = (Place(), Gate())
        let store = try await TestStore(exhaustivity: .off, persistence: .on) {
            Module(place: place)
            Visiting(gate: gate)
        }
        await store.dispatch(Visit())
        await gate.arrivals()

        async let _ = gate.open()
        await store.finish(within: .seconds(60))

        #expect(place.saved == 1)
    }

    @Test("a value is saved when its pace is over")
    func pace() async throws {
        let place = Place()
        let store = try await TestStore(persistence: .on) { Module(place: place) }

        await store.dispatch(.up, to: Counter.self) { $0.count = 1 }
        await store.advance(by: .milliseconds(250))

        #expect(place.saved == 1)
        await store.finish()
    }

    @Test("a save that fails fails the test, unless it is expected")
    func failure() async throws {
        let place = Place(Counter(), fails: true)

        let issues = try await recordedIssues {
            let store = try await TestStore(persistence: .on) { Module(place: place) }
            await store.dispatch(.up, to: Counter.self) { $0.count = 1 }
            await store.finish()
        }
        let store = try await TestStore(persistence: .on) { Module(place: place) }
        await store.expectFailure(Failure.self)
        await store.dispatch(.up, to: Counter.self) { $0.count = 1 }
        await store.finish()

        #expect(issues.count == 1)
        let text = "the error of save of TestStorePersistenceTests.Counter"
        #expect(issues.first?.text.contains(text) == true, "\(issues)")
    }

    @Test("a state that could not be loaded fails the test, unless a refusal is expected")
    func notLoaded() async throws {
        let issues = try await recordedIssues {
            let store = try await TestStore(persistence: .on) { Module(place: Place(fails: true)) }
            await store.finish()
        }
        let store = try await TestStore(persistence: .on) { Module(place: Place(fails: true)) }
        await store.expectRefusal()
        await store.finish()

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("started with its initial value") == true, "\(issues)")
    }
}
