import Relux
import Testing

@Suite("Reentrancy", .timeLimit(.minutes(10)))
struct ReentranceTests {
    /// Where the call that re-enters the store comes from.
    enum Place: CaseIterable, Sendable {
        case observer, middleware, read, selection, policy, reducer
    }

    /// Starts a task inside the store, on the thread that is there, when the trigger is handled.
    private struct Intruder: Relux.StoreObserver, Relux.Middleware, Relux.Saga {
        let place: Place
        let link: StoreLink
        let tasks = Trace<Task<Relux.Dispatched?, Never>>()
        /// The number of logged actions when the call that started the task returned.
        let counts = Trace<Int>()
        /// The number of logged actions after each of them.
        let reduced = Trace<Int>()

        func enter(from place: Place) {
            guard place == self.place, tasks.entries.isEmpty else { return }
            // On older systems the task starts on another thread. It also enters the store only after the step.
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                tasks.note(Task.immediate { await link.store?.dispatch(Log.Action.add("intruder")) })
            } else {
                tasks.note(Task { await link.store?.dispatch(Log.Action.add("intruder")) })
            }
            counts.note(reduced.entries.last ?? 0)
        }

        func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
            if record.action is Work { enter(from: .observer) }
        }

        func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
            if action is Work { enter(from: .middleware) }
            return .proceed
        }

        func policy(for trigger: Work) -> Relux.Policy {
            enter(from: .policy)
            return .concurrent
        }

        func run(_ trigger: Work, in context: Relux.SagaContext) async {}
    }

    @Test("a task that starts inside the store enters it after the current step", arguments: Place.allCases)
    func tasksWait(place: Place) async throws {
        let link = StoreLink()
        let observer = TraceObserver()
        let intruder = Intruder(place: place, link: link)
        let store = try await Relux.Store(.init(middleware: [intruder], observers: [intruder, observer])) {
            Part<TagB>(
                reducers: [
                    .init(of: Log.self, on: Tick.self) { _, _ in intruder.enter(from: .reducer) },
                    .init(of: Log.self, on: Log.Action.self) { log, _ in intruder.reduced.note(log.entries.count) },
                ],
                dependencies: [SagaModule(sagas: [intruder])]
            )
        }
        link.connect(to: store)

        await store.dispatch {
            Log.Action.add("first")
            Work()
            Tick()
            Log.Action.add("last")
        }
        await store.read { _ in intruder.enter(from: .read) }
        var values = store.values(of: Log.self) { log in
            intruder.enter(from: .selection)
            return log.entries.count
        }.makeAsyncIterator()
        _ = await values.next()
        let dispatched = await intruder.tasks.entries.first?.value
        let entries = try await store.state(of: Log.self).entries

        #expect(entries == ["first", "last", "intruder"])
        #expect(dispatched?.sequence == 5)
        #expect(intruder.counts.entries == [place == .middleware || place == .reducer ? 1 : 2])
        #expect(observer.refusals.entries.isEmpty)
        #expect(observer.records.entries.map(\.sequence) == Array(1...5))
    }
}
