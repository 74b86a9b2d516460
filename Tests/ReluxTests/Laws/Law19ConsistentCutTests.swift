import Relux
import Testing

@Suite("Law 19: consistent cuts", .timeLimit(.minutes(10)))
struct Law19ConsistentCutTests: Staged {
    let scene = Scene()
    private static let rounds = 300

    /// Writes from three tasks, one of which dispatches batches, while the body reads.
    private func writing(into store: Relux.Store, _ reading: @escaping @Sendable () async -> Void) async {
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
            await reading()
        }
    }

    private static let total = rounds * 10

    /// What executes a closure that reads.
    enum Reading: CaseIterable, Sendable {
        case selection, store, context
    }

    @Test("a closure sees all states at one point, however often it reads them", arguments: Reading.allCases)
    func readsAreConsistent(reading: Reading) async throws {
        let pairs = Trace<[Scales.Reading]>()
        let readTwice: @Sendable (borrowing Relux.StateReader) -> Scales.Reading = { reader in
            let first = Scales.Reading(reader)
            link.store?.send(Log.Action.add("in between"))
            pairs.note([first, Scales.Reading(reader)])
            return first
        }
        let store = try await makeStore { _, context in
            for _ in 0..<Self.rounds { _ = await context.read(readTwice) }
        }
        try await store.register(Scales.Module())

        await writing(into: store) {
            switch reading {
            case .selection: for await reading in store.values(readTwice) where reading.left == Self.total { break }
            case .store: for _ in 0..<Self.rounds { _ = await store.read(readTwice) }
            case .context: try? await store.perform(Work())
            }
        }

        if reading == .selection {
            #expect(pairs.entries.last?.first?.left == Self.total)
        } else {
            #expect(pairs.entries.count == Self.rounds)
        }
        #expect(pairs.entries.allSatisfy { $0[0] == $0[1] && $0[0].isBalanced })
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
