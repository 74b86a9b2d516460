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
        func fetch(_ key: Key, in request: Relux.QueryRequest) async throws -> Int { key.number }
    }

    private struct Page: Relux.Module {
        let keys: [Key]
        var watchers: [any Relux.Watcher] { [Relux.Using(Numbers.self) { [keys] _ in keys }] }
    }

    enum Work: CaseIterable { case refresh, prefetch }

    @Test("the work for each key doesn't grow with the number of the others", arguments: Work.allCases)
    func lookups(_ work: Work) async throws {
        var lookups: [Int] = []
        for count in [50, 400] {
            let counter = Shared(0)
            let keys = (0..<count).map { Key(number: $0, lookups: counter) }
            let store = try await Relux.Store { Relux.Queries(Numbers()) }
            if work == .refresh {
                try await store.register(Page(keys: keys))
                try await store.wait(until: { reader in keys.allSatisfy { reader.query(Numbers.self, $0).isUsed } })
                try await store.idle()
            }
            counter.value = 0

            if work == .refresh {
                await store.dispatch(Relux.Invalidate(Numbers.self)).finished()
            } else {
                await store.dispatch(contentsOf: keys.map { Relux.Prefetch(Numbers.self, $0) }).finished()
            }

            lookups.append(counter.value / count)
            await store.shutdown()
        }
        #expect(lookups[1] < lookups[0] * 2)
    }
}
