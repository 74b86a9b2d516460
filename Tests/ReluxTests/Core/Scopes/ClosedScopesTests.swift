import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Streams and readers of an instance", .timeLimit(.minutes(10)))
struct ClosedScopesTests {
    private let world = SeededExecutor(seed: 1)

    private let store: Relux.Store
    private let chat: Relux.Scope

    init() async throws {
        store = Relux.Store(.init(executor: world))
        chat = store.scope(of: Chat.Module.self, id: "c1")
        try await store.register(Account.Module(), Chat.Module(id: "c1", dependencies: [Part<TagA>.counting()]))
    }

    /// Takes actions that hold objects.
    private static let box = Part<TagB>(
        states: [Log()], reducers: [Relux.Reducer(of: Log.self, on: ProbedAction.self) { _, _ in }])

    /// Creates a stream that buffers one action, and gives it up after some time.
    ///
    /// - Returns: The end of what the stream has buffered.
    private func giveUpStream(after body: () async throws -> Void = {}) async throws -> Event {
        let stream = chat.actionStream(of: ProbedAction.self)
        let gone = await Probe.pass { await store.dispatch(ProbedAction(probe: $0)) }
        try await body()
        #expect(!gone.hasFired)
        withExtendedLifetime(stream) {}
        return gone
    }

    @Test("the readers of an instance are told of its end in the order in which they have come")
    func order() async {
        func read<S: Relux.State>(_ state: S.Type) -> @Sendable (borrowing Relux.StateReader) -> Bool {
            { reader in reader[S.self] == nil }
        }
        // None of these is in the instance.
        let readings = [
            read(Counter<TagA>.self), read(Log.self), read(Counter<TagB>.self), read(Form.self),
            read(Counter<TagC>.self),
            read(Total.self), read(Counter<TagD>.self), read(Gallery.Items.self),
        ]
        let report = await Simulation.explore(seeds: 1..<2) { world in
            let (gate, ended) = (Gate(), Trace<Int>())
            gate.open()
            let store = try await world.store { Gallery.Picture(id: 1) }
            let picture = store.scope(of: Gallery.Picture.self, id: 1)
            let tasks = readings.enumerated().map { number, reading in
                world.task {
                    for await _ in picture.values(reading) { await gate.pass() }
                    ended.note(number)
                }
            }
            await gate.arrivals(atLeast: readings.count)

            await store.unregister(Gallery.Picture.self, id: 1)
            for task in tasks { _ = await task.result }

            // In the plain order.
            if world.seed == 0 { #expect(ended.entries == Array(readings.indices)) }
        }
        #expect(report.failure == nil, "\(report)")
    }

    @Test("a stream that is given up is released, and the others still end with the instance")
    func streams() async throws {
        try await store.register(Self.box)
        // Their actions are taken by the root, so nothing but the instance ends them.
        let kept = chat.actionStream(of: Account.State.Action.self)

        let gone = try await giveUpStream()
        await store.dispatch(Account.State.Action(name: "ann"))
        let isReleased = gone.hasFired
        await store.unregister(Chat.Module.self, id: "c1")

        #expect(isReleased)
        #expect(await kept.elements().map(\.name) == ["ann"])
    }

    @Test("a stream is released from the scope that has its actions, even if a nearer one takes them since")
    func streamOfOuterScope() async throws {
        try await store.register(Self.box)

        let gone = try await giveUpStream { try await chat.register(Self.box) }
        await store.dispatch(Account.State.Action(name: "ann"))
        let later = await Probe.pass { await store.dispatch(ProbedAction(probe: $0)) }

        #expect(gone.hasFired)
        #expect(later.hasFired)
    }

    @Test("a closed instance leaves no stream behind in the scope that takes its actions", arguments: [false, true])
    func closedStreams(isClosedWithStore: Bool) async throws {
        let stream = chat.actionStream(of: Account.State.Action.self)
        await store.dispatch(Account.State.Action(name: "ann"))

        if isClosedWithStore { await store.shutdown() } else { await store.unregister(Chat.Module.self, id: "c1") }

        #expect(await store.leftovers().isEmpty)
        withExtendedLifetime(stream) {}
    }

    @Test("a selection that reads nothing ends with the instance in which it is made, and with the store")
    func selectionsOfNothing() async throws {
        for ending in 0..<3 {
            await Simulation.explore(seeds: 0..<5) { world in
                let store = try await world.store {
                    Account.Module()
                    Chat.Module(id: "c1")
                }
                let chat = store.scope(of: Chat.Module.self, id: "c1")
                // It would wait forever.
                world.task { for await _ in chat.values({ _ in 1 }) {} }
                world.task {
                    switch ending {
                    case 0: await store.unregister(Chat.Module.self, id: "c1")
                    case 1: await store.shutdown()
                    default: await store.kill()
                    }
                }
            }
        }
    }

    @Test("values and selections of an outer state, and a wait for it, end with the instance in which they are made")
    func outerStates() async throws {
        let ended = Trace<String>()
        let reading = await world.settle {
            for await _ in chat.values(of: Account.State.self) {}
            ended.note("values")
        }
        let selecting = await world.settle {
            for await _ in chat.values(of: Account.State.self, { $0.name }) {}
            ended.note("selection")
        }
        let waiting = await world.settle {
            _ = try? await chat.wait { (account: Account.State) in account.name == "nobody" }
            ended.note("wait")
        }

        await store.unregister(Chat.Module.self, id: "c1")
        await world.rest()

        #expect(ended.entries.sorted() == ["selection", "values", "wait"])
        for task in [reading, selecting, waiting] { task.cancel() }
    }

    @Test("the last value of a state that an instance's own dependency lists is delivered before the end")
    func lastValueOfDependency() async throws {
        let seen = Trace<Int>()
        let reading = await world.settle {
            for await count in chat.values(of: Counter<TagA>.self, { $0.value }) { seen.note(count) }
        }

        chat.send(Counter<TagA>.Add())
        await store.unregister(Chat.Module.self, id: "c1")
        await world.rest()
        try await reading.value

        #expect(seen.entries == [0, 1])
    }

    @Test(
        "values that an instance reads from the root become its own when it registers the state",
        arguments: [false, true])
    func shadowed(ofInstances: Bool) async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store {
                Account.Module()
                Chat.Module(id: "c1")
                Chat.Module(id: "inner")
            }
            let chat = store.scope(of: Chat.Module.self, id: "c1")
            await store.dispatch(Account.State.Action(name: "root"))
            // In the plain order, it waits before its own state comes, and would wait forever.
            world.task {
                let values = chat.values { reader in
                    ofInstances
                        ? "\(reader.states(of: Chat.State.self, in: Chat.Module.self).count)"
                        : reader[Account.State.self]?.name
                }
                for await value in values where value == (ofInstances ? "1" : "nobody") { return }
            }
            world.task {
                if ofInstances {
                    try await chat.register(Chat.Module(id: "own"))
                } else {
                    try await chat.register(Account.Module())
                }
            }
        }
    }

    @Test("a stream of an instance gets the action that closes the instance, and those before it in its batch")
    func lastActions() async throws {
        let closing = Relux.Reducer(of: Inbox.State.self, on: Inbox.ChatAction.self) { inbox, chat in
            if chat.action == .sent("bye") { inbox.open.removeAll { $0 == chat.id } }
        }
        let store = try await Relux.Store { Part<TagB>(reducers: [closing], dependencies: [Inbox.Module()]) }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))
        let streams = ["c1", "c2"].map { id in
            store.scope(of: Chat.Module.self, id: id).actionStream(of: Chat.State.Action.self)
        }

        await store.scope(of: Chat.Module.self, id: "c1").dispatch(Chat.State.Action.sent("bye"))
        await store.dispatch {
            Inbox.ChatAction(Chat.Module.self, id: "c2", Chat.State.Action.received("last"))
            Inbox.State.Action.set([])
        }

        #expect(await streams[0].elements() == [.sent("bye")])
        #expect(await streams[1].elements() == [.received("last")])
    }

    @Test("a watcher hears no action from before its registration, even in the same batch", arguments: [false, true])
    func earlierActions(observed: Bool) async throws {
        let heard = Trace<String>()
        let watcher = ClosureWatcher(listens: [Log.Action.self]) { context in
            for await case .add(let entry) in context.actionStream(of: Log.Action.self) { heard.note(entry) }
        }
        let store = try await Relux.Store(.init(observers: observed ? [TraceObserver()] : [])) {
            Log.Module()
            Pages.Module { InstancePart(id: $0, watchers: [watcher]) }
        }

        await store.dispatch {
            Log.Action.add("1")
            Pages.Action.open("a")
            Log.Action.add("2")
        }
        await store.dispatch(Log.Action.add("3"))

        #expect(await heard.entries(atLeast: 2) == ["2", "3"])
    }

    @Test("a closed instance holds neither its modules nor the instances inside it, whatever still refers to it")
    func emptied() async throws {
        let outer = store.scope(of: InstancePart.self, id: "outer")
        let inner = outer.scope(of: InstancePart.self, id: "inner")
        func register() async throws -> [Event] {
            let probes = [Probe(), Probe()]
            let holding = probes.map { probe in
                Relux.Reducer(of: Log.self, on: Tick.self) { _, _ in withExtendedLifetime(probe) {} }
            }
            try await store.register(InstancePart(id: "outer", states: [Log()], reducers: [holding[0]]))
            try await outer.register(InstancePart(id: "inner", states: [Log()], reducers: [holding[1]]))
            return probes.map(\.gone)
        }
        let gone = try await register()
        let streams = [outer, inner].map { $0.actionStream(of: Tick.self) }
        let values = [outer, inner].map { $0.values(of: Log.self).makeAsyncIterator() }
        let wereThere = gone.map { !$0.hasFired }

        await store.unregister(InstancePart.self, id: "outer")

        #expect(wereThere == [true, true])
        #expect(gone.map(\.hasFired) == [true, true])
        withExtendedLifetime((streams, values)) {}
    }
}
