import Relux
import Testing

@Suite("Law 19: consistent cuts", .timeLimit(.minutes(10)))
struct Law19ConsistentCutTests {
    private static let rounds = 300

    /// Writes from three tasks, one of which dispatches batches, while the body reads.
    private func writing<Result: Sendable>(
        into store: Relux.Store, _ reading: @escaping @Sendable () async -> Result
    ) async -> Result {
        await withTaskGroup { group in
            group.addTask { for _ in 0..<Self.rounds { await store.dispatch(Scales.Load(weight: 1)) } }
            group.addTask { for _ in 0..<Self.rounds { store.send(Scales.Load(weight: 2)) } }
            group.addTask {
                for _ in 0..<Self.rounds {
                    await store.dispatch {
                        Scales.Load(weight: 3)
                        Scales.Load(weight: 4)
                    }
                }
            }
            return await reading()
        }
    }

    private static let total = rounds * 10

    @Test("a selection from two states reads both at one point")
    func selectionsAreConsistent() async throws {
        let store = try await Relux.Store { Scales.Module() }
        let values = store.values { Scales.Reading($0) }

        let readings = await writing(into: store) {
            var readings: [Scales.Reading] = []
            for await reading in values {
                readings.append(reading)
                if reading.left == Self.total { break }
            }
            return readings
        }

        #expect(readings.allSatisfy { $0.isBalanced })
        #expect(readings.last?.left == Self.total)
    }

    @Test("a read of two states sees both at one point, through a store and through a context")
    func readsAreConsistent() async throws {
        let readings = Trace<Scales.Reading>()
        let store = try await Relux.Store {
            Scales.Module()
            WorkSaga { _, context in
                for _ in 0..<Self.rounds { readings.note(await context.read { Scales.Reading($0) }) }
            }.module()
        }

        await writing(into: store) {
            async let reading: Void? = try? store.perform(Work())
            for _ in 0..<Self.rounds { readings.note(await store.read { Scales.Reading($0) }) }
            await reading
        }

        #expect(readings.entries.count == Self.rounds * 2)
        #expect(readings.entries.allSatisfy { $0.isBalanced })
    }

    @Test("a closure that reads a state twice sees the same value twice", arguments: [false, true])
    func repeatedReadsAgree(isSelection: Bool) async throws {
        let store = try await Relux.Store { Scales.Module() }
        let pairs = Trace<[Scales.Reading]>()
        let readTwice: @Sendable (borrowing Relux.StateReader) -> Scales.Reading = { reader in
            let first = Scales.Reading(reader)
            store.send(Log.Action.add("in between"))
            pairs.note([first, Scales.Reading(reader)])
            return first
        }

        await writing(into: store) {
            if isSelection {
                for await reading in store.values(readTwice) where reading.left == Self.total { break }
            } else {
                for _ in 0..<Self.rounds { _ = await store.read(readTwice) }
            }
        }

        #expect(!pairs.entries.isEmpty)
        #expect(pairs.entries.allSatisfy { $0[0] == $0[1] })
    }

    @Test("a middleware reads all states at one point, before its action")
    func middlewareReadsAreConsistent() async throws {
        let readings = Trace<Scales.Reading>()
        let middleware = HookMiddleware { _, reader in
            readings.note(Scales.Reading(reader))
            return .proceed
        }
        let store = try await Relux.Store(.init(middleware: [middleware])) { Scales.Module() }

        await store.dispatch(Scales.Load(weight: 1))
        await store.dispatch {
            Scales.Load(weight: 2)
            Scales.Load(weight: 3)
        }

        #expect(readings.entries.map(\.left) == [0, 1, 3])
        #expect(readings.entries.allSatisfy { $0.isBalanced })
    }
}
