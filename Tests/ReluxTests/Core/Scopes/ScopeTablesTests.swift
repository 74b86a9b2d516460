import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("The tables of scopes", .timeLimit(.minutes(10)))
struct ScopeTablesTests: Staged {
    let scene = Scene()

    /// An instance whose id has the same hash as all others, and may hold an object, which is released with whatever
    /// knows the id.
    private struct Numbered: Relux.Module, Identifiable {
        struct ID: Hashable, Sendable {
            let number: Int
            var probe: Probe?

            static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

            func hash(into hasher: inout Hasher) {}
        }

        let id: ID

        var states: [any Relux.State] { [Log("\(id.number)")] }
    }

    @Test("the last instance of a module takes the group of its instances with it, and the last module its routes")
    func leavesNothing() async throws {
        let store = Relux.Store()
        try await store.register(Chat.Module(id: "c1"), Chat.Module(id: "c2"), Log.Module())

        await store.unregister(Chat.Module.self, id: "c1")
        let groups = await store.contents()["groups of instances"]
        await store.unregister(Chat.Module.self, id: "c2")
        await store.unregister(Log.Module.self)

        #expect(groups == 1)
        #expect(await store.contents() == [:])
    }

    @Test("an instance takes the modules, instances, and runs inside it with it, when it is unregistered")
    func nested() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Chat.Module(id: "outer") }
        let outer = store.scope(of: Chat.Module.self, id: "outer")
        try await outer.register(Chat.Module(id: "inner", gate: gate), Log.Module())
        let sending = await outer.scope(of: Chat.Module.self, id: "inner").dispatch(Chat.Send(text: "x"))
        await gate.arrivals()

        let unregistering = Task { await store.unregister(Chat.Module.self, id: "outer") }
        // The values end in the step that closes the instance.
        for await _ in outer.values(of: Chat.State.self) {}
        gate.open()
        await unregistering.value

        #expect("\(await sending.outcome())" == "cancelled")
        #expect(observer.trace.entries.filter { $0 == "unregistered Module" }.count == 3)
    }

    @Test("a module takes its own runs with it, as well as its instances, when it is unregistered")
    func ownRuns() async throws {
        let chats = Relux.Children.each(of: Inbox.State.self, \.open) { id, _ in Chat.Module(id: id) }
        let saga = WorkSaga { [gate] _, _ in await gate.pass() }
        let store = try await Relux.Store {
            Part<TagA>(states: [Inbox.State()], sagas: [saga], children: [chats])
        }
        await store.dispatch(Inbox.State.Action.set(["c1"]))
        let work = await dispatching(Work(), in: store)

        let unregistering = Task { await store.unregister(Part<TagA>.self) }
        // The values end in the step that removes the module.
        for await _ in store.values(of: Inbox.State.self) {}
        gate.open()
        await unregistering.value

        #expect(await work.outcome().endings == [.cancelled])
    }

    @Test("an instance is released when it is unregistered, although all instances have been listed")
    func released() async throws {
        let store = Relux.Store()
        let gone = try await Probe.pass { probe in
            try await store.register(Numbered(id: .init(number: 1, probe: probe)), Numbered(id: .init(number: 2)))
        }
        let listed = await store.read { $0.states(of: Log.self, in: Numbered.self).map(\.id.number) }
        let wasThere = !gone.hasFired

        await store.unregister(Numbered.self, id: .init(number: 1))

        #expect(listed == [1, 2] && wasThere)
        #expect(gone.hasFired)
    }

    @Test(
        "instances whose ids have the same hash are told apart",
        arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
    func collisions(order: [Int]) async throws {
        let store = Relux.Store()
        for number in 0..<4 { try await store.register(Numbered(id: .init(number: number))) }
        var left = Set(0..<4)

        for number in order {
            for other in 0..<4 {
                let scope = store.scope(of: Numbered.self, id: .init(number: other))
                let entries = await scope.read { $0[Log.self]?.entries }
                #expect(entries == (left.contains(other) ? ["\(other)"] : nil))
            }
            await store.unregister(Numbered.self, id: .init(number: number))
            left.remove(number)
            let ids = await store.read { $0.states(of: Log.self, in: Numbered.self).map(\.id.number) }
            #expect(ids == left.sorted())
        }

        #expect(await store.contents() == [:])
    }

    @Test("a module that takes actions of instances hears those that exist already, and leaves no trace")
    func listening() async throws {
        let hearing = Relux.Reducer(of: Log.self, on: Inbox.ChatAction.self) { log, chat in
            log.entries.append(chat.id)
        }
        let listening = Part<TagA>(states: [Log()], reducers: [hearing])
        let store = Relux.Store()
        try await store.register(listening)
        await store.unregister(Part<TagA>.self)
        let left = await store.contents()

        try await store.register(Chat.Module(id: "c1"))
        try await store.register(listening)
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        await chat.dispatch(Chat.State.Action.received("a"))
        let heard = try await store.log()
        await store.unregister(Part<TagA>.self)
        await chat.dispatch(Chat.State.Action.received("b"))

        #expect(left == [:])
        #expect(heard == ["c1"])
        #expect(await store.contents()["routes"] == nil)
        #expect(try await chat.state(of: Chat.State.self).messages == ["a", "b"])
    }

    /// In the plain order, the reader waits before anything changes, and would wait forever.
    @Test("a reader of all instances is woken when one appears or disappears", arguments: [["c1", "c2"], []])
    func readers(ids: [String]) async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { Inbox.Module() }
            await store.dispatch(Inbox.State.Action.set(["c1"]))

            world.task {
                for await count in store.values({ $0.states(of: Chat.State.self, in: Chat.Module.self).count })
                where count == ids.count { return }
            }
            world.task { await store.dispatch(Inbox.State.Action.set(ids)) }
        }
    }

    @Test("a reader that waits for the first instance is woken, whatever takes actions of instances in the meantime")
    func readersOfNone() async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { Log.Module() }

            world.task {
                for await count in store.values({ $0.states(of: Chat.State.self, in: Chat.Module.self).count })
                where count == 1 { return }
            }
            let hearing = Part<TagA>(sagas: [ClosureSaga<Inbox.ChatAction> { _, _ in }])
            world.task {
                try await store.register(hearing)
                await store.unregister(Part<TagA>.self)
                try await store.register(Chat.Module(id: "c1"))
            }
        }
    }

    @Test("what listens in an instance inside another one is no longer counted when both have closed")
    func listeners() async throws {
        let listening = InstancePart(id: "inner", sagas: [Relux.Reaction(to: Tick.self, in: .enclosing) { _, _ in }])
        let store = Relux.Store()
        try await store.register(Chat.Module(id: "outer", dependencies: [listening]))
        #expect(await store.hasListeners())

        await store.unregister(Chat.Module.self, id: "outer")

        #expect(await !store.hasListeners())
    }
}
