import Testing

@testable import Relux

/// Tests what an iterator gets for each request. The steps run inside the store, so no task can interleave.
@Suite("StateQuery", .timeLimit(.minutes(10)))
struct StateQueryTests {
    /// The result of a pull.
    fileprivate enum Pulled: Equatable {
        case value(Int)
        case wait
        case end

        init<Value>(_ pull: StatePull<Value>, _ number: (Value) -> Int) {
            switch pull {
            case .value(let value): self = .value(number(value))
            case .wait: self = .wait
            case .end: self = .end
            }
        }
    }

    /// A cursor and its query, with the type of their values erased.
    fileprivate final class Request {
        private let body: () -> Pulled

        init<Query: StateQuery>(_ query: Query, in core: isolated Core, _ number: @escaping (Query.Value) -> Int) {
            let cursor = StateCursor<Query.Value>()
            body = { Pulled(query.pull(from: core, in: core.root, cursor), number) }
        }

        func pull() -> Pulled { body() }
    }

    /// The kinds of values. Each selection returns half of the left scale's number of loads.
    enum Form: CaseIterable, Sendable {
        case whole, selection, selectionOverReader

        /// Records each time that the selection is evaluated.
        fileprivate func request(_ core: isolated Core, noting runs: Trace<Int>) -> StateQueryTests.Request {
            let site = Relux.CallSite()
            switch self {
            case .whole:
                return .init(WholeStateQuery<Scales.Left>(site: site), in: core) { $0.loads }
            case .selection:
                let query = StateSelectionQuery<Scales.Left, Int>(
                    selection: StateSelection { left in
                        runs.note(0)
                        return left.loads / 2
                    }, site: site)
                return .init(query, in: core) { $0 }
            case .selectionOverReader:
                let query = ReaderSelectionQuery { reader in
                    runs.note(0)
                    return (reader[Scales.Left.self]?.loads ?? -2) / 2
                }
                return .init(query, in: core) { $0 }
            }
        }
    }

    private func store() async throws -> Relux.Store {
        try await Relux.Store {
            Scales.Module()
            Log.Module()
        }
    }

    private static func load(_ core: isolated Core) {
        core.dispatch(Scales.Load(), of: .outside, at: Relux.CallSite())
    }

    /// Every way to reduce: one or two loads each.
    private static let ways: [@Sendable (isolated Core) -> Void] = {
        let (load, site) = (Scales.Load(), Relux.CallSite())
        return [
            { core in
                if core.dispatchFast(load, of: 0, in: nil, at: site) == 0 {
                    core.dispatch(load, of: .outside, at: site)
                }
            },
            { core in _ = core.dispatch(contentsOf: [load, load], of: .outside, at: site) },
            { core in _ = core.dispatch(contentsOf: [load, load].reversed(), of: .outside, at: site) },
            { core in _ = core.dispatch(batch: [load, Log.Action.add("beside")], of: .outside, at: site) },
            { core in core.dispatch(load, of: .outside, at: site) },
        ]
    }()

    private static func log(_ core: isolated Core) {
        core.dispatch(Log.Action.add("another state"), of: .outside, at: Relux.CallSite())
    }

    @Test("each version is delivered once, and only the newest one", arguments: Form.allCases)
    func newestOnce(form: Form) async throws {
        let store = try await store()

        await store.inside { core in
            let request = form.request(core, noting: Trace())
            let first = [request.pull(), request.pull()]
            for _ in 0..<4 { Self.load(core) }
            let second = [request.pull(), request.pull()]

            #expect(first == [.value(0), .wait])
            #expect(second == [.value(form == .whole ? 4 : 2), .wait])
        }
    }

    @Test("an equal selection is not delivered again, even after an unseen change in between")
    func equalSelections() async throws {
        let store = try await store()

        for form in [Form.selection, .selectionOverReader] {
            await store.inside { core in
                core.root.states.cell(of: Scales.Left.self)?.reset()
                let request = form.request(core, noting: Trace())
                let first = request.pull()
                Self.load(core)
                let afterOne = request.pull()
                for _ in 0..<9 { Self.load(core) }
                core.root.states.cell(of: Scales.Left.self)?.reset()
                let changedAndReset = request.pull()
                for _ in 0..<2 { Self.load(core) }
                let another = request.pull()

                #expect(first == .value(0))
                #expect(afterOne == .wait)
                #expect(changedAndReset == .wait)
                #expect(another == .value(1))
            }
        }
    }

    @Test(
        "a selection is evaluated once for each change of what it reads",
        arguments: [Form.selection, .selectionOverReader])
    func selectionsAreMadeOnDemand(form: Form) async throws {
        let runs = Trace<Int>()
        let store = try await store()

        await store.inside { core in
            let request = form.request(core, noting: runs)
            for _ in 0..<2 { _ = request.pull() }
            Self.log(core)
            let before = runs.entries.count
            Self.load(core)
            let touched = runs.entries.count
            _ = request.pull()
            let after = runs.entries.count

            #expect(before == 1)
            // A selection from a single state is also evaluated in place at the change, to decide whether to wake its
            // reader.
            #expect(touched == (form == .selection ? 2 : 1))
            #expect(after == touched + 1)
        }
    }

    @Test("a change of what a query reads fires its signal, in every way to reduce", arguments: [false, true])
    func signals(isObserved: Bool) async throws {
        let store = try await Relux.Store(.init(observers: isObserved ? [HookObserver()] : [])) {
            Scales.Module()
            Log.Module()
        }
        let site = Relux.CallSite()

        for way in Self.ways {
            await store.inside { core in
                let query = WholeStateQuery<Scales.Left>(site: site)
                let cursor = StateCursor<Scales.Left>()
                _ = query.pull(from: core, in: core.root, cursor)
                guard case .wait(let awaken, _) = query.pull(from: core, in: core.root, cursor) else {
                    Issue.record("The query does not wait")
                    return
                }
                Self.log(core)
                let before = awaken.hasFired
                way(core)
                let after = awaken.hasFired

                #expect(!before)
                #expect(after)
            }
        }
    }

    @Test("a change that leaves a selection equal fires no signal, in every way to reduce", arguments: [false, true])
    func equalSelections(isObserved: Bool) async throws {
        for way in Self.ways {
            let store = try await Relux.Store(.init(observers: isObserved ? [HookObserver()] : [])) {
                Scales.Module()
                Log.Module()
            }

            await store.inside { core in
                let query = StateSelectionQuery<Scales.Left, Int>(
                    selection: StateSelection { $0.loads / 8 }, site: Relux.CallSite())
                let cursor = StateCursor<Int>()
                _ = query.pull(from: core, in: core.root, cursor)
                guard case .wait(let awaken, _) = query.pull(from: core, in: core.root, cursor) else {
                    Issue.record("The query does not wait")
                    return
                }
                way(core)
                let whileEqual = awaken.hasFired
                for _ in 0..<8 { way(core) }
                let whenChanged = awaken.hasFired

                #expect(!whileEqual)
                #expect(whenChanged)
            }
        }
    }

    @Test("registration, unregistration, and reset fire the signals of readers that wait for the affected states")
    func signalsOfModules() async throws {
        let store = Relux.Store()

        func waiting() async -> Signal? {
            await store.inside { core in
                let query = ReaderSelectionQuery { reader in reader[Log.self]?.entries.count }
                let cursor = StateCursor<Int?>()
                _ = query.pull(from: core, in: core.root, cursor)
                guard case .wait(let awaken, _) = query.pull(from: core, in: core.root, cursor) else { return nil }
                return awaken
            }
        }
        let forRegistration = await waiting()
        try await store.register(Ledger.Module())
        let isEarly = forRegistration?.hasFired
        try await store.register(Log.Module())
        let atRegistration = forRegistration?.hasFired

        let forReset = await waiting()
        await store.reset(except: [Log.self])
        let isSpared = forReset?.hasFired
        await store.reset()
        let atReset = forReset?.hasFired

        let forUnregistration = await waiting()
        await store.unregister(Ledger.Module.self)
        let isOther = forUnregistration?.hasFired
        await store.unregister(Log.Module.self)
        let atUnregistration = forUnregistration?.hasFired

        let forShutdown = await waiting()
        await store.shutdown()
        let atShutdown = forShutdown?.hasFired

        #expect([isEarly, isSpared, isOther] == [false, false, false])
        #expect([atRegistration, atReset, atUnregistration, atShutdown] == [true, true, true, true])
    }
}
