import ReluxTesting
import Testing

@testable import Relux

@Suite("Streams and readers of an instance", .timeLimit(.minutes(10)))
struct ClosedScopesTests {
    private func makeStore() async throws -> Relux.Store {
        try await Relux.Store {
            Account.Module()
            Chat.Module(id: "c1")
        }
    }

    private static func chat(in core: isolated Core) -> ScopeNode? {
        core.root.group(of: Chat.Module.self)?.node(for: AnySendableHashable("c1"))
    }

    @Test("A stream that is given up is released, and the others still end with the instance")
    func streams() async throws {
        let store = try await makeStore()
        let core = store.handle.core
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        // Their actions are taken by the root, so nothing but the instance ends them.
        var givenUp: Subscription<Account.State.Action>? = core.subscription(
            to: Account.State.Action.self, as: chat.handle.origin)
        let kept = chat.actionStream(of: Account.State.Action.self)
        let buffer = WeakReference(givenUp?.buffer)

        givenUp = nil
        await store.dispatch(Account.State.Action(name: "ann"))
        await store.unregister(Chat.Module.self, id: "c1")

        #expect(buffer.object == nil)
        var names: [String] = []
        for await action in kept { names.append(action.name) }
        #expect(names == ["ann"])
    }

    @Test("A stream that is given up is released while the instance still exists")
    func releasedStream() async throws {
        let store = try await makeStore()
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        let core = store.handle.core
        var givenUp: Subscription<Account.State.Action>? = core.subscription(
            to: Account.State.Action.self, as: chat.handle.origin)
        let buffer = WeakReference(givenUp?.buffer)

        givenUp = nil
        await store.dispatch(Account.State.Action(name: "ann"))

        #expect(buffer.object == nil)
    }

    @Test("A stream is released from the scope that has its actions, even if a nearer one takes them since")
    func streamOfOuterScope() async throws {
        let store = try await makeStore()
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        let core = store.handle.core
        var givenUp: Subscription<Account.State.Action>? = core.subscription(
            to: Account.State.Action.self, as: chat.handle.origin)
        let buffer = WeakReference(givenUp?.buffer)
        try await chat.register(Account.Module())

        givenUp = nil
        await store.dispatch(Account.State.Action(name: "ann"))

        #expect(buffer.object == nil)
    }

    @Test("Values of the root's states that are read in an instance end with it")
    func readers() async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store {
                Account.Module()
                Chat.Module(id: "c1")
            }
            let chat = store.scope(of: Chat.Module.self, id: "c1")
            // In the plain order, it waits before the instance is closed, and would wait forever.
            world.task { for await _ in chat.values(of: Account.State.self) {} }
            world.task { await store.unregister(Chat.Module.self, id: "c1") }
        }
    }

    @Test(
        "Values that an instance reads from the root become its own when it registers the state",
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

    @Test("What was registered in an instance is reported when the instance is closed")
    func inner() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Chat.Module(id: "c1") }
        try await store.scope(of: Chat.Module.self, id: "c1").register(Account.Module())

        await store.unregister(Chat.Module.self, id: "c1")

        let ends = observer.trace.entries.filter { $0.hasPrefix("unregistered") }
        #expect(ends == ["unregistered Module", "unregistered Module"])
    }

    /// Closes a chat that says goodbye.
    private struct Farewell: Relux.Module {
        var requires: [any Relux.Module.Type] { [Inbox.Module.self] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: Inbox.State.self, on: Inbox.ChatAction.self) { inbox, chat in
                    if chat.action == .sent("bye") { inbox.open.removeAll { $0 == chat.id } }
                }
            ]
        }
    }

    @Test("A stream of an instance gets the action that closes the instance, and those before it in its batch")
    func lastActions() async throws {
        let store = try await Relux.Store {
            Inbox.Module()
            Farewell()
        }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))
        let streams = ["c1", "c2"].map { id in
            store.scope(of: Chat.Module.self, id: id).actionStream(of: Chat.State.Action.self)
        }

        await store.scope(of: Chat.Module.self, id: "c1").dispatch(Chat.State.Action.sent("bye"))
        await store.dispatch {
            Inbox.ChatAction(Chat.Module.self, id: "c2", Chat.State.Action.received("last"))
            Inbox.State.Action.set([])
        }

        var heard: [[Chat.State.Action]] = [[], []]
        for (index, stream) in streams.enumerated() { for await action in stream { heard[index].append(action) } }
        #expect(heard == [[.sent("bye")], [.received("last")]])
    }

    /// An instance that listens to the log around it.
    private struct Hearing: Relux.Module, Identifiable {
        struct Listener: Relux.Watcher {
            let heard: Trace<String>
            let isDone: Gate

            var listens: [any Relux.Action.Type] { [Log.Action.self] }

            func watch(in context: Relux.SagaContext) async throws {
                for await case .add(let entry) in context.actionStream(of: Log.Action.self) {
                    heard.note(entry)
                    if entry == "3" { isDone.open() }
                }
            }
        }

        let id: String
        let listener: Listener

        var watchers: [any Relux.Watcher] { [listener] }
    }

    @Test("A watcher hears no action from before its registration, even in the same batch", arguments: [false, true])
    func earlierActions(observed: Bool) async throws {
        struct Parent: Relux.Module {
            let listener: Hearing.Listener
            var states: [any Relux.State] { [Inbox.State()] }
            var children: [Relux.Children] {
                [.each(of: Inbox.State.self, \.open) { [listener] id, _ in Hearing(id: id, listener: listener) }]
            }
        }
        let listener = Hearing.Listener(heard: Trace(), isDone: Gate())
        let store = try await Relux.Store(.init(observers: observed ? [TraceObserver()] : [])) {
            Log.Module()
            Parent(listener: listener)
        }

        await store.dispatch {
            Log.Action.add("1")
            Inbox.State.Action.set(["a"])
            Log.Action.add("2")
        }
        await store.dispatch(Log.Action.add("3"))
        await listener.isDone.pass()

        #expect(listener.heard.entries == ["2", "3"])
    }

    private static func makeCancelledReader(in scope: ScopeNode) -> Signal {
        let reader = Signal()
        scope.add(reader: reader)
        reader.fire()
        scope.noteCancelledReader()
        return reader
    }

    @Test("A reader that was cancelled is released while the instance still exists")
    func cancelledReader() async throws {
        let store = try await makeStore()

        let isReleased = await store.inside { core -> Bool in
            guard let scope = Self.chat(in: core) else { return false }
            return WeakReference(Self.makeCancelledReader(in: scope)).object == nil
        }

        #expect(isReleased)
    }

    @Test("A closed scope holds no routes and no groups, whatever still refers to it")
    func emptied() async throws {
        let store = try await makeStore()
        try await store.scope(of: Chat.Module.self, id: "c1").register(Chat.Module(id: "inner"))

        let counts = await store.inside { core -> [Int] in
            guard let scope = Self.chat(in: core) else { return [] }
            let before = [scope.routes.count, scope.groupCount]
            _ = core.unregister(
                Chat.Module.self, id: AnySendableHashable("c1"), as: .outside, at: Relux.CallSite()
            )
            return before.map { min($0, 1) } + [scope.routes.count, scope.groupCount]
        }

        #expect(counts == [1, 1, 0, 0])
    }
}
