import Testing

@testable import Relux

/// What an iterator gets when it asks, step by step inside the store: no task comes in between.
@Suite("StateQuery", .timeLimit(.minutes(10)))
struct StateQueryTests {
    /// What a pull gave.
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

    /// A cursor and its query, without the type of their values.
    fileprivate final class Asking {
        private let body: () -> Pulled

        init<Query: StateQuery>(_ query: Query, in core: isolated Core, _ number: @escaping (Query.Value) -> Int) {
            var cursor = StateCursor<Query.Value>()
            body = { Pulled(query.pull(from: core, &cursor), number) }
        }

        func pull() -> Pulled { body() }
    }

    /// The forms of values, each asking for the half of the loads that the left scale has got; the whole state for all.
    enum Form: CaseIterable, Sendable {
        case whole, selection, selectionOverReader

        /// Notes each time that a selection is made.
        fileprivate func asking(_ core: isolated Core, noting runs: Trace<Int>) -> StateQueryTests.Asking {
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
        core.dispatch(Scales.Load(), Submission(.outside, at: Relux.CallSite()))
    }

    /// The ways to reduce: one or two loads each.
    private static let ways: [@Sendable (isolated Core) -> Void] = {
        let (load, site) = (Scales.Load(), Relux.CallSite())
        return [
            { core in if core.dispatchFast(load, of: 0, at: site) == 0 { core.dispatch(load, Submission(.outside, at: site)) } },
            { core in _ = core.dispatch(contentsOf: [load, load], Submission(.outside, at: site)) },
            { core in _ = core.dispatch(contentsOf: [load, load].reversed(), Submission(.outside, at: site)) },
            { core in _ = core.dispatch(batch: [load, Log.Action.add("beside")], Submission(.outside, at: site)) },
            { core in core.dispatch(load, Submission(.outside, at: site)) },
        ]
    }()

    private static func log(_ core: isolated Core) {
        core.dispatch(Log.Action.add("another state"), Submission(.outside, at: Relux.CallSite()))
    }

    @Test("a version is given once, and the newest one only", arguments: Form.allCases)
    func newestOnce(form: Form) async throws {
        let store = try await store()

        await store.inside { core in
            let asking = form.asking(core, noting: Trace())
            let first = [asking.pull(), asking.pull()]
            for _ in 0..<4 { Self.load(core) }
            let second = [asking.pull(), asking.pull()]

            #expect(first == [.value(0), .wait])
            #expect(second == [.value(form == .whole ? 4 : 2), .wait])
        }
    }

    @Test("an equal selection is not given again, also after a change in between that nobody saw")
    func equalSelections() async throws {
        let store = try await store()

        for form in [Form.selection, .selectionOverReader] {
            await store.inside { core in
                core.states.cell(of: Scales.Left.self)?.reset()
                let asking = form.asking(core, noting: Trace())
                let first = asking.pull()
                Self.load(core)
                let afterOne = asking.pull()
                for _ in 0..<9 { Self.load(core) }
                core.states.cell(of: Scales.Left.self)?.reset()
                let thereAndBack = asking.pull()
                for _ in 0..<2 { Self.load(core) }
                let another = asking.pull()

                #expect(first == .value(0))
                #expect(afterOne == .wait)
                #expect(thereAndBack == .wait)
                #expect(another == .value(1))
            }
        }
    }

    @Test("a selection is made once a touch of what it reads", arguments: [Form.selection, .selectionOverReader])
    func selectionsAreMadeOnDemand(form: Form) async throws {
        let runs = Trace<Int>()
        let store = try await store()

        await store.inside { core in
            let asking = form.asking(core, noting: runs)
            for _ in 0..<2 { _ = asking.pull() }
            Self.log(core)
            let before = runs.entries.count
            Self.load(core)
            let touched = runs.entries.count
            _ = asking.pull()
            let after = runs.entries.count

            #expect(before == 1)
            // One of a single state is made where it lies, at the touch, to see whether to wake its reader.
            #expect(touched == (form == .selection ? 2 : 1))
            #expect(after == touched + 1)
        }
    }

    @Test("a touch of what a query reads fires its signal, by every way to reduce", arguments: [false, true])
    func signals(isObserved: Bool) async throws {
        let store = try await Relux.Store(.init(observers: isObserved ? [HookObserver()] : [])) {
            Scales.Module()
            Log.Module()
        }
        let site = Relux.CallSite()

        for way in Self.ways {
            await store.inside { core in
                let query = WholeStateQuery<Scales.Left>(site: site)
                var cursor = StateCursor<Scales.Left>()
                _ = query.pull(from: core, &cursor)
                guard case .wait(let awaken) = query.pull(from: core, &cursor) else {
                    Issue.record("no wait")
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

    @Test("a touch that leaves a selection equal fires no signal, by every way to reduce", arguments: [false, true])
    func equalSelections(isObserved: Bool) async throws {
        for way in Self.ways {
            let store = try await Relux.Store(.init(observers: isObserved ? [HookObserver()] : [])) {
                Scales.Module()
                Log.Module()
            }

            await store.inside { core in
                let query = StateSelectionQuery<Scales.Left, Int>(
                    selection: StateSelection { $0.loads / 8 }, site: Relux.CallSite())
                var cursor = StateCursor<Int>()
                _ = query.pull(from: core, &cursor)
                guard case .wait(let awaken) = query.pull(from: core, &cursor) else {
                    Issue.record("no wait")
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

    @Test("a registration, an unregistration and a reset fire the signals of those who wait for their states")
    func signalsOfModules() async throws {
        let store = Relux.Store()

        func waiting() async -> Signal? {
            await store.inside { core in
                let query = ReaderSelectionQuery { reader in reader[Log.self]?.entries.count }
                var cursor = StateCursor<Int?>()
                _ = query.pull(from: core, &cursor)
                guard case .wait(let awaken) = query.pull(from: core, &cursor) else { return nil }
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
