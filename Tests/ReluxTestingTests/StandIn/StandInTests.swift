import Relux
import ReluxTesting
import Testing

@Suite("StandIn", .timeLimit(.minutes(10)))
struct StandInTests {
    @Test("it answers an effect, and records it")
    func answers() async throws {
        let doubling = StandIn(for: Double.self) { $0.number * 2 }
        let store = try await Relux.Store { doubling }

        let result = try await store.perform(Double(number: 21))

        #expect(result == 42)
        #expect(doubling.taken == [Double(number: 21)])
    }

    @Test("an effect without a value is only recorded, as soon as it is reduced")
    func records() async throws {
        let pinging = StandIn(for: Ping.self)
        let store = try await Relux.Store { pinging }

        await store.dispatch(Ping(name: "a"))
        await store.dispatch {
            Ping(name: "b")
            Ping(name: "c")
        }

        #expect(pinging.taken.map(\.name) == ["a", "b", "c"])
    }

    @Test("what it throws is thrown to who performs the effect")
    func failures() async throws {
        struct Offline: Error {}
        let store = try await Relux.Store { StandIn(for: Double.self) { _ in throw Offline() } }

        let error = await #expect(throws: Relux.EffectError.self) { try await store.perform(Double(number: 1)) }

        if case .failed(let cause)? = error { #expect(cause is Offline) } else { Issue.record("\(error as Any)") }
    }

    @Test("effects of different types have stand-ins of their own, and none has two answers")
    func several() async throws {
        let pinging = StandIn(for: Ping.self)
        let store = try await Relux.Store {
            pinging
            StandIn(for: Double.self) { $0.number }
        }
        await store.dispatch(Ping(name: "a")).finished()

        #expect(pinging.taken.count == 1)
        await #expect(throws: Relux.StoreError.self) { try await store.register(Doubling()) }
    }

    @Test("in every order of overlapping runs, it has recorded the effects in the order of the store")
    func orders() async {
        await Simulation.explore(seeds: 0..<50) { world in
            let waiting = StandIn(for: Ping.self) { _ in try await world.latency(.zero ... .seconds(1)) }
            let recorder = RecordingObserver()
            let store = try await world.store(.init(observers: [recorder])) { waiting }

            for name in ["a", "b"] {
                world.task {
                    await store.dispatch(Ping(name: "\(name)1"))
                    await store.dispatch(Ping(name: "\(name)2"))
                }
            }
            await world.settled()

            #expect(waiting.taken == recorder.actions(of: Ping.self))
            #expect(waiting.taken.count == 4)
        }
    }
}

private struct Double: Relux.Effect, Equatable {
    typealias Output = Int
    let number: Int
}

private struct Ping: Relux.Effect, Equatable {
    let name: String
}

private struct Doubling: Relux.Module {
    struct Answer: Relux.Flow {
        func run(_ trigger: Double, in context: Relux.SagaContext) async throws -> Int { 0 }
    }

    var flows: [any Relux.Flow] { [Answer()] }
}
