import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("FlightRecorder", .timeLimit(.minutes(10)))
struct FlightRecorderTests {
    private func store(_ recorder: Relux.FlightRecorder) async throws -> Relux.Store {
        try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Shop.Module() }
    }

    @Test("a line has the type and case, the call site, and the cause, and no payload")
    func lines() async throws {
        let recorder = Relux.FlightRecorder(capacity: 100)
        let store = try await store(recorder)

        try await store.perform(Shop.Effect.rename(1, "secret"), fileID: "App/Main.swift", line: 7)

        #expect(
            recorder.lines() == [
                "0 s #1 Shop.Effect.rename (App/Main.swift:7)",
                "0 s Shop.Saga #1 started by #1",
                "0 s #2 Shop.Effect.nothing (Shop/Saga.swift:2) from Shop.Saga #1",
                "0 s Shop.Saga #2 started by #2",
                "0 s Shop.Saga #2 finished",
                "0 s #3 Shop.State.Action.renamed (Shop/Saga.swift:3) from Shop.Saga #1",
                "0 s Shop.Saga #1 finished",
            ]
        )
    }

    @Test("the body of a timeout is no run of the saga")
    func timeouts() async throws {
        struct Slow: Relux.Saga {
            func run(_ effect: Shop.Effect, in context: Relux.SagaContext) async throws {
                try await context.timeout(after: .seconds(1)) { _ in }
            }
        }
        struct Module: Relux.Module { var sagas: [any Relux.Saga] { [Slow()] } }
        let recorder = Relux.FlightRecorder()
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Module() }

        try await store.perform(Shop.Effect.load)

        let lines = recorder.lines().filter { $0.hasSuffix("finished") }
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("0 s timeout in ") == true)
    }

    @Test("it keeps as many events as its capacity says, and shows as many as requested")
    func capacity() async throws {
        let recorder = Relux.FlightRecorder(capacity: 3)
        let store = try await store(recorder)

        for id in 1...5 { await store.dispatch(Shop.State.Action.removed(id), fileID: "App/Main.swift", line: 1) }

        #expect(recorder.lines().map { $0.prefix(6) } == ["0 s #3", "0 s #4", "0 s #5"])
        #expect(recorder.lines(last: 1).map { $0.prefix(6) } == ["0 s #5"])
        #expect(recorder.lines(last: -1).isEmpty)
    }

    @Test("a refusal has its reason, and an error its type")
    func refusalsAndErrors() async throws {
        struct Broken: Error { let secret = "secret" }
        let recorder = Relux.FlightRecorder(capacity: 100)
        let reaction = Relux.Reaction(to: Shop.State.Action.self) { _, _ in throw Broken() }
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Shop.Module()
            Reacting(reaction)
        }

        await store.dispatch(Shop.State.Action.removed(1)).finished()
        await store.dispatch(Room.State.Action.said("secret"), fileID: "App/Main.swift", line: 3)

        let lines = recorder.lines()
        #expect(lines.contains { $0.contains("#1 failed: ") && $0.hasSuffix("Broken") }, "\(lines)")
        #expect(lines.last == "0 s refused Room.State.Action: actionNotTaken (App/Main.swift:3)")
        #expect(!lines.joined().contains("secret"))
    }

    @Test("a save that fails has the state, and the type of the error")
    func saves() async throws {
        struct Saved: Relux.Module {
            var states: [any Relux.State] { [Room.State()] }
            var persistence: [any Relux.StatePersistence] { [FullDisk()] }
        }
        let recorder = Relux.FlightRecorder()
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { Saved() }
        await clock.advance(by: .seconds(2))

        await store.dispatch(Room.State.Action.said("hello"))
        await #expect(throws: (any Error).self) { try await store.saved() }

        let line = try #require(recorder.lines().last)
        // The action's time, at which the clock stands still.
        #expect(line.hasPrefix("2 s save of Room.State #") && line.hasSuffix("Full"), "\(line)")
    }

    @Test("it keeps neither the payload of an action nor the store")
    func lifetime() async throws {
        let recorder = Relux.FlightRecorder(capacity: 10)
        weak var payload: Payload?
        weak var released: Relux.Store?
        do {
            let store = try await Relux.Store(.init(observers: [recorder])) { Holding() }
            let object = Payload()
            (payload, released) = (object, store)
            await store.dispatch(Held.Action.took(object))
            await store.shutdown()
        }

        #expect(payload == nil)
        #expect(released == nil)
        #expect(recorder.lines().contains { $0.contains("Held.Action.took") })
    }
}

private struct Reacting: Relux.Module {
    let sagas: [any Relux.Saga]

    init(_ saga: any Relux.Saga) { sagas = [saga] }
}

private final class Payload: Sendable {}

private struct Held: Relux.State {
    enum Action: Relux.Action { case took(Payload) }
    mutating func reduce(_ action: Action) {}
}

private struct Holding: Relux.Module {
    var states: [any Relux.State] { [Held()] }
}
