import Relux
import Testing

@Suite("Re-entrance", .timeLimit(.minutes(10)))
struct ReentranceTests {
    /// From where the store is entered again.
    enum Place: CaseIterable, Sendable {
        case observer, middleware, read, policy
    }

    /// Enters the store again when the trigger passes.
    private struct Intruder: Relux.StoreObserver, Relux.Middleware, Relux.Saga {
        let place: Place
        let link: StoreLink
        let isBatch: Bool
        let seen: Trace<UInt64?>

        func enter(from place: Place) {
            guard place == self.place else { return }
            link.store?.assumeIsolated { store in
                let taken =
                    isBatch
                    ? store.dispatch(contentsOf: [Log.Action.add("intruder"), Log.Action.add("second")])
                    : store.dispatch(Log.Action.add("intruder"))
                seen.note(taken.sequence)
            }
        }

        func actionReduced(_ record: Relux.ActionRecord) { if record.action is Work { enter(from: .observer) } }

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

    @Test("a dispatch from inside the store becomes a send, and is reported", arguments: Place.allCases, [false, true])
    func dispatchesBecomeSends(place: Place, isBatch: Bool) async throws {
        let link = StoreLink()
        let observer = TraceObserver()
        let intruder = Intruder(place: place, link: link, isBatch: isBatch, seen: Trace())
        let store = try await Relux.Store(.init(middleware: [intruder], observers: [intruder, observer])) {
            SagaModule(sagas: [intruder])
        }
        link.connect(to: store)

        await store.dispatch {
            Log.Action.add("first")
            Work()
            Log.Action.add("last")
        }
        await store.read { _ in intruder.enter(from: .read) }
        let entries = try await store.state(of: Log.self).entries

        #expect(entries == ["first", "last", "intruder"] + (isBatch ? ["second"] : []))
        #expect(intruder.seen.entries == [nil])
        #expect(
            observer.refusals.entries.map { "\($0.reason)" } == Array(repeating: "reentered", count: isBatch ? 2 : 1))
        #expect(observer.refusals.entries.first?.action as? Log.Action == .add("intruder"))
        #expect(observer.records.entries.map(\.sequence) == Array(1...UInt64(entries.count + 1)))
    }

    @Test("a batch from inside the store stays one step")
    func batchesStayWhole() async throws {
        let link = StoreLink()
        let seen = Trace<[String]>()
        let observer = HookObserver(onAction: { record in
            link.store?.assumeIsolated { store in
                if record.action is Tick { store.dispatch(contentsOf: [Log.Action.add("one"), .add("two")]) }
                seen.note((try? store.state(of: Log.self).entries) ?? ["unreadable"])
            }
        })
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }
        link.connect(to: store)

        await store.dispatch(Tick())
        _ = await store.read { _ in true }

        #expect(seen.entries == [[], ["one", "two"], ["one", "two"]])
    }

    @Test("an observer that errs as it hears of a refusal hears of nothing again, and is served")
    func refusalsEnd() async throws {
        let link = StoreLink()
        let refusals = Trace<String>()
        let observer = HookObserver(onRefusal: { refusal in
            refusals.note("\(refusal.reason)")
            link.store?.assumeIsolated { store in
                store.dispatch(Log.Action.add("heard"))
                _ = try? store.state(of: Counter<TagA>.self)
            }
        })
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }
        link.connect(to: store)

        await store.dispatch(Tick())

        #expect(refusals.entries == ["actionNotTaken"])
        #expect(try await store.log() == ["heard"])
    }

    /// What a reducer does that isn't pure.
    private struct Peek: Relux.Action {
        let body: @Sendable () -> Void
    }

    @Test("a reducer reads nothing from the store, and the observers hear of it", arguments: [false, true])
    func reducersDontRead(isBatch: Bool) async throws {
        let link = StoreLink()
        let observer = TraceObserver()
        let seen = Trace<String>()
        let peek = Peek {
            link.store?.assumeIsolated { store in
                do {
                    _ = try store.state(of: Log.self)
                    seen.note("read")
                } catch {
                    seen.note("\(error)".contains("Log") ? "thrown" : "thrown something else")
                }
                seen.note(store.read { reader in reader[Log.self] } == nil ? "nothing" : "read")
            }
        }
        let peeking = Relux.Reducer(of: Log.self, on: Peek.self) { _, peek in peek.body() }
        // Without an observer it goes the short way, with one the long.
        let unheard = try await Relux.Store { Part<TagB>(states: [Log()], reducers: [peeking]) }
        let heard = try await Relux.Store(.init(observers: [observer])) {
            Part<TagB>(states: [Log()], reducers: [peeking])
        }

        for store in [unheard, heard] {
            link.connect(to: store)
            if isBatch { await store.dispatch(contentsOf: [peek]) } else { await store.dispatch(peek) }
        }

        #expect(seen.entries == ["thrown", "nothing", "thrown", "nothing"])
        #expect(observer.refusals.entries.map { "\($0)".contains("A reducer read ReluxTests.Log") } == [true, true])
        #expect(try await heard.log() == [])
    }

    @Test("a selection may read the store that it selects from")
    func selectionsRead() async throws {
        let link = StoreLink()
        let store = try await Relux.Store { Log.Module() }
        link.connect(to: store)
        let values = store.values(of: Log.self) { _ in
            link.store?.assumeIsolated { store in (try? store.state(of: Log.self).entries.count) ?? -1 } ?? -2
        }
        var iterator = values.makeAsyncIterator()

        let first = await iterator.next()
        await store.dispatch(Log.Action.add("one"))
        let second = await iterator.next()

        #expect([first, second] == [0, 1])
    }

    @Test("a read from inside an observer sees the end of the step, and nothing that came since")
    func readsInside() async throws {
        let link = StoreLink()
        let counts = Trace<Int>()
        let observer = HookObserver(onAction: { _ in
            link.store?.send(Ledger.Write(writer: 1, number: 0))
            link.store?.assumeIsolated { store in
                counts.note((try? store.state(of: Ledger.State.self).writes.filter { $0.writer == 0 }.count) ?? -1)
                counts.note((try? store.state(of: Ledger.State.self).writes.filter { $0.writer == 1 }.count) ?? -1)
            }
        })
        let once = Trace<Bool>()
        let middleware = HookMiddleware { action, _ in
            guard let write = action as? Ledger.Write, write.writer == 1 else { return .proceed }
            once.note(true)
            return .drop(reason: "enough")
        }
        let store = try await Relux.Store(.init(middleware: [middleware], observers: [observer])) { Ledger.Module() }
        link.connect(to: store)

        await store.dispatch(contentsOf: [Ledger.Write(number: 0), Ledger.Write(number: 1)])
        _ = await store.read { _ in true }

        #expect(counts.entries == [2, 0, 2, 0])
        #expect(once.entries.count == 2)
    }
}
