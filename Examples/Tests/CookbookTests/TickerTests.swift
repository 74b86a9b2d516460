import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Ticker", .timeLimit(.minutes(1)))
struct TickerTests {
    @Test("it ticks once a second until it is stopped, and starts again at zero")
    func ticks() async throws {
        let store = try await TestStore { Ticker.Module(ring: {}) }

        await store.dispatch(Ticker.Start())
        await store.receive(.ticked(seconds: 0), in: Ticker.State.self)
        for second in 1...3 {
            await store.advance(by: .seconds(1))
            await store.receive(.ticked(seconds: second), in: Ticker.State.self) { $0.seconds = second }
        }
        await store.dispatch(Ticker.Stop())
        await store.advance(by: .seconds(9))
        await store.dispatch(Ticker.Start())
        await store.receive(.ticked(seconds: 0), in: Ticker.State.self) { $0.seconds = 0 }

        await store.finish()
    }

    @Test("a bell that takes its time delays no tick, and seconds that it takes longer are skipped")
    func slowBell() async {
        await Simulation.explore(seeds: 0..<50, timePassesEarly: false) { world in
            let ticks = Ticks()
            let store = try await world.store {
                Ticker.Module { try await world.latency(.zero ... .milliseconds(1_900)) }
                Ticks.Module(ticks: ticks)
            }

            await store.dispatch(Ticker.Start())
            try await world.clock.sleep(for: .milliseconds(20_500))
            await store.dispatch(Ticker.Stop())

            // Each tick comes at a full second, and tells which one it is.
            let entries = await ticks.entries
            #expect(entries.count >= 10)
            #expect(entries.allSatisfy { $0.time == .seconds($0.seconds) })
        }
    }
}

/// Notes when the ticks come.
private actor Ticks {
    var entries: [(time: Duration, seconds: Int)] = []

    func note(_ seconds: Int, at time: Duration) { entries.append((time, seconds)) }

    struct Module: Relux.Module {
        let ticks: Ticks

        var sagas: [any Relux.Saga] {
            [
                Relux.Reaction(to: Ticker.State.Action.self) { [ticks] action, context in
                    guard case .ticked(let seconds) = action else { return }
                    await ticks.note(seconds, at: context.now)
                }
            ]
        }
    }
}
