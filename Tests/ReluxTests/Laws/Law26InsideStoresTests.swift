import Relux
import TestFixtures
import Testing

@Suite("Law 26: inside stores", .timeLimit(.minutes(10)))
struct Law26InsideStoresTests {
    /// Where user code is executed inside a store.
    enum Place: CaseIterable, Sendable {
        case reducer, observer, observerOfStates, startOfRun, middleware, policy, actionOnCancel
        case selection, selectionOverReader, comparison, read, readNow, deinitializer, makingChildren
    }

    /// Uses every synchronous verb, and notes what came of it.
    private struct Attempt: Sendable {
        let target = StoreLink()
        let trace = Trace<String>()

        func callAsFunction() {
            // A selection may be made several times.
            guard let store = target.store, trace.entries.isEmpty else { return }
            trace.note("dispatched: \(store.doNow(Log.Action.add("inside")).sequence.map { "\($0)" } ?? "-")")
            let batch = store.dispatcher.doNow(contentsOf: [Log.Action.add("inside"), Log.Action.add("inside")])
            trace.note("batch: \(batch.sequence.map { "\($0)" } ?? "-")")
            do throws(Relux.StoreError) {
                trace.note("state: \(try store.lookNow(at: Log.self).entries)")
            } catch {
                trace.note("state: \(error.name)")
            }
            let found = store.lookNow { reader -> String in
                do throws(Relux.StoreError) {
                    return "\(try reader.state(of: Log.self).entries)"
                } catch {
                    return "\(error.name), \(reader[Log.self] == nil ? "nothing" : "something")"
                }
            }
            trace.note("read: \(found)")
        }
    }

    private struct Keep: Relux.Action {}

    private struct Keeper: Relux.State {
        typealias Action = Never

        var farewell: Farewell?
    }

    /// A value whose comparison calls a closure.
    private struct Compared: Sendable, Equatable {
        let count: Int
        let body: @Sendable () -> Void

        static func == (lhs: Compared, rhs: Compared) -> Bool {
            lhs.body()
            return lhs.count == rhs.count
        }
    }

    /// A module with user code in all places.
    private func module(_ place: Place, _ attempt: Attempt) -> Part<TagA> {
        let isIn: @Sendable (Place) -> Void = { if $0 == place { attempt() } }
        return Part<TagA>(
            states: [Counter<TagA>(), Keeper()],
            reducers: [
                .init(of: Counter<TagA>.self, on: Tick.self) { state, _ in
                    state.value += 1
                    isIn(.reducer)
                },
                .init(of: Keeper.self, on: Keep.self) { state, _ in state.farewell = Farewell { attempt() } },
                .init(of: Keeper.self, on: Tick.self) { state, _ in state.farewell = nil },
            ],
            sagas: [
                ClosureSaga<Tick>(
                    policy: { _ in
                        isIn(.policy)
                        return .concurrent
                    },
                    cleanup: { _ in
                        isIn(.actionOnCancel)
                        return nil
                    }
                ) { _, _ in
                    if place == .actionOnCancel { try await untilCancelled() }
                }
            ]
        )
    }

    private func configuration(
        _ place: Place, _ attempt: Attempt, _ observer: TraceObserver
    ) -> Relux.StoreConfiguration {
        let isIn: @Sendable (Place) -> Void = { if $0 == place { attempt() } }
        return Relux.StoreConfiguration(
            middleware: [
                HookMiddleware { action, _ in
                    if action is Tick { isIn(.middleware) }
                    return .proceed
                }
            ],
            observers: [
                observer,
                HookObserver(
                    onAction: { if $0.action is Tick { isIn(.observer) } }, onStart: { _ in isIn(.startOfRun) }
                ),
                StateHookObserver { record, _ in if record.action is Tick { isIn(.observerOfStates) } },
            ]
        )
    }

    /// Reads until the last value in a new task, and returns when the first value is there.
    private func read<Value>(
        _ values: Relux.StateValues<Value>, _ number: @escaping @Sendable (Value) -> Int
    ) async -> Task<Void, Never> {
        let isReading = Gate()
        let reading = Task {
            for await value in values {
                isReading.open()
                if number(value) == 1 { return }
            }
        }
        await isReading.pass()
        return reading
    }

    /// Executes the user code of a place.
    private func trigger(_ place: Place, in store: Relux.Store, _ attempt: Attempt) async throws {
        var reading: Task<Void, Never>?
        let count: @Sendable (Int?) -> Int = { count in
            attempt()
            return count ?? -1
        }
        switch place {
        case .deinitializer: await store.dispatch(Keep())
        case .selection: reading = await read(store.values(of: Counter<TagA>.self) { count($0.value) }) { $0 }
        case .selectionOverReader: reading = await read(store.values { count($0[Counter<TagA>.self]?.value) }) { $0 }
        case .comparison:
            let values = store.values(of: Counter<TagA>.self) { Compared(count: $0.value) { attempt() } }
            reading = await read(values, \.count)
        case .read: await store.read { _ in attempt() }
        case .readNow: store.lookNow { _ in attempt() }
        case .makingChildren:
            try await store.register(
                Inbox.Module { id in
                    attempt()
                    return Chat.Module(id: id)
                }
            )
            await store.dispatch(Inbox.State.Action.open("a"))
        default: break
        }
        let dispatched = await store.dispatch(Tick())
        if place == .actionOnCancel { await store.cancel(ClosureSaga<Tick>.self) }
        await dispatched.finished()
        await reading?.value
    }

    @Test(
        "every synchronous verb changes and finds nothing there, and is reported to the store that was called",
        arguments: Place.allCases, [false, true])
    func changesNothing(place: Place, isOwn: Bool) async throws {
        let (own, others) = (TraceObserver(), TraceObserver())
        let attempt = Attempt()
        let store = Relux.Store(configuration(place, attempt, own))
        try await store.register(contentsOf: [module(place, attempt), Log.Module()])
        let other = Relux.Store(.init(observers: [others]))
        try await other.register(Log.Module())
        attempt.target.connect(to: isOwn ? store : other)

        try await trigger(place, in: store, attempt)
        // The reports have arrived when the store is entered again.
        let logs = [try await store.log(), try await other.log()]
        let numbers = [own, others].map { $0.records.entries.map(\.sequence) }

        let attempts = ["dispatched: -", "batch: -", "state: insideStore", "read: insideStore, nothing"]
        #expect(attempt.trace.entries == attempts)
        #expect(logs == [[], []])
        for numbers in numbers { #expect(numbers == Array(1..<UInt64(numbers.count + 1))) }
        #expect(others.records.entries.isEmpty)
        let refusals = [own, others].map { observer in
            observer.refusals.entries.map { "\($0.reason) \($0.action.map { "\($0)" } ?? "-")" }
        }
        let expected = Array(repeating: "insideStore add(\"inside\")", count: 3)
        #expect(refusals == (isOwn ? [expected, []] : [[], expected]))
        #expect(store.doNow(Log.Action.add("next")).sequence == UInt64(numbers[0].count + 1))
        #expect(other.doNow(Log.Action.add("next")).sequence == 1)
    }

    @Test("two stores whose observers call each other from two threads never deadlock")
    func twoStores() async throws {
        let links = [StoreLink(), StoreLink()]
        let refusals = [RelaxedCounter(), RelaxedCounter()]
        let stores = [0, 1].map { number in
            let target = links[1 - number]
            let observer = HookObserver(
                onAction: { _ in
                    target.store?.doNow(Counter<TagA>.Add(amount: 1_000_000))
                    _ = target.store?.lookNow { $0[Counter<TagA>.self]?.value }
                },
                onRefusal: { if case .insideStore = $0.reason { refusals[number].increment() } }
            )
            return Relux.Store(.init(observers: [observer]))
        }
        for (store, link) in zip(stores, links) {
            try await store.register(Part<TagA>.counting())
            link.connect(to: store)
        }
        let each = 5_000

        await onThreads(2) { thread in
            for _ in 0..<each { stores[thread].doNow(Counter<TagA>.Add()) }
        }

        for store in stores { #expect(await store.count(of: TagA.self) == each) }
        #expect(refusals.map(\.count) == [each, each])
    }
}
