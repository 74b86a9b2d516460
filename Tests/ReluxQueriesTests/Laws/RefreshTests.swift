import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Refreshes", .timeLimit(.minutes(10)))
struct RefreshTests {
    /// A key that counts how often it is looked up or compared.
    private struct Key: Hashable, Sendable {
        let number: Int
        let lookups: Shared<Int>

        static func == (lhs: Key, rhs: Key) -> Bool {
            lhs.lookups.change { $0 += 1 }
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) {
            lookups.change { $0 += 1 }
            hasher.combine(number)
        }
    }

    private struct Numbers: Relux.Query {
        let gate: Gate

        func fetch(_ key: Key, in request: Relux.QueryRequest) async throws -> Int {
            await gate.pass()
            return key.number
        }
    }

    private struct Page: Relux.Module {
        let keys: [Key]
        var watchers: [any Relux.Watcher] { [Relux.Using(Numbers.self) { [keys] _ in keys }] }
    }

    enum Work: CaseIterable { case refresh, refreshOfEach, prefetch }

    @Test("the work for each key doesn't grow with the number of the others", arguments: Work.allCases)
    func lookups(_ work: Work) async throws {
        var lookups: [Int] = []
        for count in [50, 1_200] {
            let (counter, gate) = (Shared(0), Gate())
            let keys = (0..<count).map { Key(number: $0, lookups: counter) }
            let store = try await Relux.Store { Relux.Queries(Numbers(gate: gate)) }
            if work != .prefetch {
                try await store.register(Page(keys: keys))
                await gate.arrivals(atLeast: count)
            }
            counter.value = 0

            // All requests are under way when the first one is refreshed.
            let receipt =
                switch work {
                case .refresh: await store.dispatch(Relux.Invalidate(Numbers.self))
                case .refreshOfEach:
                    await store.dispatch(contentsOf: keys.map { Relux.Invalidate(Numbers.self, $0) })
                case .prefetch: await store.dispatch(contentsOf: keys.map { Relux.Prefetch(Numbers.self, $0) })
                }
            gate.open()
            await receipt.finished()

            lookups.append(counter.value / count)
            await store.shutdown()
        }
        // With few keys, the schedule decides how many requests meet. A search among the others would add 1,150.
        #expect(lookups[1] < lookups[0] + 600)
    }
}
