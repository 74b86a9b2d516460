import ReluxTesting
import Testing

@testable import Relux

/// What a route knows about its reducers, sagas and streams follows every registration.
@Suite("Routes", .timeLimit(.minutes(10)))
struct RouteTests {
    /// Only reduces the work that another module does.
    private struct Clerk: Relux.Module {
        var states: [any Relux.State] { [Log()] }
        var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: Log.self, on: Work.self) { log, work in log.entries.append(work.name) }]
        }
    }

    private struct Worker: Relux.Module {
        var sagas: [any Relux.Saga] { [WorkSaga { _, _ in }] }
    }

    /// Counts the entries of the log.
    private struct Tally: Relux.State {
        typealias Action = Never
        var count = 0

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Tally()] }
            var reducers: [Relux.Reducer] {
                [Relux.Reducer(of: Tally.self, on: Log.Action.self) { tally, _ in tally.count += 1 }]
            }
        }
    }

    @Test("an effect is handled as long as a saga takes it, whoever else reduces it")
    func sagas() async throws {
        let store = try await Relux.Store { Clerk() }
        let before = await store.dispatch(Work(name: "a")).outcome()
        try await store.register(Worker())
        let during = await store.dispatch(Work(name: "b")).outcome()
        await store.unregister(Worker.self)
        let after = await store.dispatch(Work(name: "c")).outcome()

        #expect([before, during, after].flatMap(\.endings) == [.unhandled, .returned, .unhandled])
        #expect(try await store.log() == ["a", "b", "c"])
    }

    @Test("each of two modules reduces an action for as long as it is registered")
    func reducers() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }
        await store.dispatch(Log.Action.add("a"))
        try await store.register(Tally.Module())
        await store.dispatch(Log.Action.add("b"))
        await store.unregister(Log.Module.self)
        await store.dispatch(Log.Action.add("c"))

        #expect(try await store.state(of: Tally.self).count == 2)
        let states = observer.records.entries.map { $0.states.map { "\($0)" } }
        #expect(states == [["Log"], ["Log", "Tally"], ["Tally"]])
    }

    @Test("a stream still gets the actions that nothing reduces any more")
    func streams() async throws {
        let store = try await Relux.Store { Log.Module() }
        let actions = store.actionStream(of: Log.Action.self)
        await store.dispatch(Log.Action.add("a"))
        await store.unregister(Log.Module.self)
        await store.dispatch(Log.Action.add("b"))
        await store.shutdown()

        var heard: [Log.Action] = []
        for await action in actions { heard.append(action) }
        #expect(heard == [.add("a"), .add("b")])
    }

    @Test("a stream of actions that nothing takes leaves no route")
    func strayStreams() async throws {
        let store = try await Relux.Store { Chat.Module(id: "c1") }
        for origin in [store.handle.origin, store.scope(of: Chat.Module.self, id: "c1").handle.origin] {
            let before = await store.inside(Self.countRoutes)
            var stream: Subscription<Log.Action>? = store.handle.core.subscription(to: Log.Action.self, as: origin)
            let during = await store.inside(Self.countRoutes)
            withExtendedLifetime(stream) {}
            stream = nil

            #expect(during == before + 1)
            #expect(await store.inside(Self.countRoutes) == before)
        }
    }

    private static func countRoutes(_ core: isolated Core) -> Int {
        core.root.routes.count + core.root.descendants.reduce(0) { $0 + $1.routes.count }
    }

    @Test("instances follow a state that an effect reduces, although a saga takes the effect")
    func followed() async throws {
        let store = try await Relux.Store {
            Inbox.Module()
            Opener()
        }

        await store.dispatch(Work(name: "c1")).finished()

        #expect(await store.inside { $0.root.group(of: Chat.Module.self)?.count } == 1)
    }

    /// Opens a chat for each work.
    private struct Opener: Relux.Module {
        var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: Inbox.State.self, on: Work.self) { inbox, work in inbox.open.append(work.name) }]
        }
        var sagas: [any Relux.Saga] { [WorkSaga { _, _ in }] }
        var dependencies: [any Relux.Module] { [Inbox.Module()] }
    }

    @Test("an action of an instance that only its parents reduce is taken")
    func parents() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Inbox.Module()
            Mother()
        }
        await store.dispatch(Inbox.State.Action.set(["c1"]))

        let outcome = await store.scope(of: Chat.Module.self, id: "c1").dispatch(Mother.Call()).outcome()

        #expect(outcome.endings == [.returned])
        #expect(observer.refusals.entries.isEmpty)
        #expect(try await store.log() == ["c1"])
    }

    private struct Mother: Relux.Module {
        struct Call: Relux.Action {}

        var states: [any Relux.State] { [Log()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: Log.self, on: Relux.ChildAction<Chat.Module, Call>.self) { log, call in
                    log.entries.append(call.id)
                }
            ]
        }
    }

    /// Counts the questions.
    private struct Counting: Relux.Module {
        var dependencies: [any Relux.Module] { [Log.Module()] }
        var reducers: [Relux.Reducer] {
            [.init(of: Log.self, on: Question.self) { log, _ in log.entries.append("asked") }]
        }
    }

    @Test("callers of a shared flow join the run of the first, and get its value")
    func sharedFlows() async throws {
        let (gate, runs) = (Gate(), Trace<Int>())
        let store = try await Relux.Store {
            Counting()
            SagaModule(flows: [
                QuestionFlow(policy: .shared) { question, _ in
                    runs.note(question.number)
                    await gate.pass()
                    return 7
                }
            ])
        }

        let first = Task { try await store.perform(Question()) }
        await gate.arrivals()
        let second = Task { try await store.perform(Question()) }
        // The step that counts the second question also lets it join.
        _ = try await store.wait(until: Log.self) { $0.entries.count == 2 }
        gate.open()

        #expect(try await first.value == 7)
        #expect(try await second.value == 7)
        #expect(runs.entries == [0])
    }

    @Test("a route is released when nothing takes its actions any more, and with its scope", arguments: [0, 1, 2, 3])
    func released(way: Int) async throws {
        let world = SeededExecutor(seed: 1)
        var store: Relux.Store? = Relux.Store(.init(executor: world))
        try await store?.register(Log.Module(), Chat.Module(id: "c1"))
        let log = await store?.inside { core in WeakReference(core.root.routes[ObjectIdentifier(Log.Action.self)]) }
        let chat = await store?.inside { core -> WeakReference<AnyRoute> in
            let scope = core.root.group(of: Chat.Module.self)?.node(for: AnySendableHashable("c1"))
            return WeakReference(scope?.routes[ObjectIdentifier(Chat.State.Action.self)])
        }
        #expect(log?.object != nil && chat?.object != nil)

        switch way {
        case 0: await store?.unregister(Log.Module.self)
        case 1: await store?.unregister(Chat.Module.self, id: "c1")
        case 2: await store?.shutdown()
        default: store = nil
        }
        // A store that is released without a shutdown is closed by a job.
        await world.rest()

        if way != 1 { #expect(log?.object == nil) }
        if way != 0 { #expect(chat?.object == nil) }
    }
}
