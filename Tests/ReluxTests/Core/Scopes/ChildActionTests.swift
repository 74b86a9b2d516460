import Relux
import ReluxTesting
import Testing

@Suite("ChildAction", .timeLimit(.minutes(10)))
struct ChildActionTests {
    private let observer = TraceObserver()

    private func inbox() async throws -> Relux.Store {
        let store = try await Relux.Store(.init(observers: [observer])) { Inbox.Module() }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))
        return store
    }

    @Test("a parent reduces what its instances take, in the same step and after them, also after the last one has gone")
    func reducers() async throws {
        let store = try await inbox()
        var unread = store.values(of: Inbox.State.self) { $0.unread }.makeAsyncIterator()
        _ = await unread.next()

        await store.scope(of: Chat.Module.self, id: "c1").dispatch(Chat.State.Action.received("a"))

        #expect(await unread.next() == ["c1": 1])
        let record = try #require(observer.records.entries.last)
        #expect(record.action is Chat.State.Action)
        #expect(record.scope == store.scope(of: Chat.Module.self, id: "c1"))
        #expect(
            record.states.map { ObjectIdentifier($0) }
                == [Chat.State.self, Inbox.State.self].map { ObjectIdentifier($0) })
        #expect(record.sequence == 2)
        for ids in [[], ["c3"]] { await store.dispatch(Inbox.State.Action.set(ids)) }
        await store.scope(of: Chat.Module.self, id: "c3").dispatch(Chat.State.Action.received("b"))
        #expect(try await store.state(of: Inbox.State.self).unread == ["c1": 1, "c3": 1])
    }

    @Test("a parent reduces an effect of its instances", arguments: [true, false])
    func effects(isObserved: Bool) async throws {
        typealias Send = Relux.ChildAction<Chat.Module, Chat.Send>
        let counting = Relux.Reducer(of: Inbox.State.self, on: Send.self) { inbox, send in
            inbox.unread[send.id, default: 0] -= 1
        }
        let store = try await Relux.Store(.init(observers: isObserved ? [observer] : [])) {
            Part<TagA>(reducers: [counting], dependencies: [Inbox.Module()])
        }
        await store.dispatch(Inbox.State.Action.set(["c1"]))
        let chat = store.scope(of: Chat.Module.self, id: "c1")

        try await chat.perform(Chat.Send(text: "a"))
        await chat.dispatch(Chat.Send(text: "b")).finished()

        #expect(try await store.state(of: Inbox.State.self).unread == ["c1": -2])
        #expect(try await chat.state(of: Chat.State.self).messages == ["a", "b"])
    }

    @Test("a reader that waits for a state of the parent is woken by what an instance takes", arguments: [false, true])
    func wakesReaders(inBatch: Bool) async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { Inbox.Module() }
            await store.dispatch(Inbox.State.Action.set(["c1"]))

            // In the plain order, it waits before the action comes, and would wait forever.
            world.task {
                for await unread in store.values(of: Inbox.State.self, { $0.unread }) where unread == ["c1": 1] {
                    return
                }
            }
            world.task {
                let chat = store.scope(of: Chat.Module.self, id: "c1")
                if inBatch {
                    await chat.dispatch { Chat.State.Action.received("a") }
                } else {
                    await chat.dispatch(Chat.State.Action.received("a"))
                }
            }
        }
    }

    @Test("a stream of child actions hears all instances with their ids, in order")
    func streams() async throws {
        let store = try await inbox()
        let stream = store.actionStream(of: Inbox.ChatAction.self)

        for (id, text) in [("c1", "a"), ("c2", "b"), ("c1", "c")] {
            await store.scope(of: Chat.Module.self, id: id).dispatch(Chat.State.Action.received(text))
        }
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "c2", Chat.State.Action.sent("d")))
        await store.shutdown()

        let heard = await stream.elements()
        #expect(heard.map(\.id) == ["c1", "c2", "c1", "c2"])
        #expect(heard.map(\.action) == [.received("a"), .received("b"), .received("c"), .sent("d")])
    }

    @Test("performing a child action returns the value of the child's flow, or its error")
    func performing() async throws {
        let store = try await inbox()
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.sent("a")))

        let count = try await store.perform(Relux.ChildAction(Chat.Module.self, id: "c1", Chat.Count()))
        try await store.perform(Relux.ChildAction(Chat.Module.self, id: "c2", Chat.Send(text: "b")))
        let result = await store.actions { Relux.ChildAction(Chat.Module.self, id: "c2", Chat.Send(text: "c")) }

        #expect(count == 1)
        #expect("\(result)" == "success")
        #expect(
            try await store.scope(of: Chat.Module.self, id: "c2").state(of: Chat.State.self).messages == ["b", "c"])
    }

    @Test("from inside an instance, the innermost scope that has such instances is searched")
    func lookup() async throws {
        struct Talk: Relux.Action { let id: String }
        let talker = ClosureSaga<Talk> { talk, context in
            await context.dispatch(Relux.ChildAction(Chat.Module.self, id: talk.id, Chat.State.Action.sent("hi")))
        }
        let store = try await inbox()
        let first = store.scope(of: Chat.Module.self, id: "c1")
        try await first.register(Part<TagA>(sagas: [talker]))

        await first.dispatch(Talk(id: "c2")).finished()
        let second = try await store.scope(of: Chat.Module.self, id: "c2").state(of: Chat.State.self).messages
        try await first.register(Chat.Module(id: "inner"))
        await first.dispatch(Talk(id: "inner")).finished()
        await first.dispatch(Talk(id: "c2")).finished()

        #expect(second == ["hi"])
        #expect(try await first.scope(of: Chat.Module.self, id: "inner").state(of: Chat.State.self).messages == ["hi"])
        let missing = observer.refusals.entries.filter { $0.name == "noInstance" }
        #expect(missing.map { $0.description.contains(#"Chat.Module["c1"]/Chat.Module["c2"]"#) } == [true])
    }

    @Test("actions of an instance in an instance go outward one scope at a time, wrapped once for each")
    func nested() async throws {
        let inbox = Inbox.Module()
        let building = InstancePart(
            id: "7", states: [Inbox.State(open: ["c"])], reducers: inbox.reducers, children: inbox.children)
        typealias Heard = Relux.ChildAction<InstancePart, Inbox.ChatAction>
        let hearing = Relux.Reducer(of: Log.self, on: Heard.self) { log, heard in
            log.entries.append("\(heard.id) \(heard.action.id) \(heard.action.action)")
        }
        let store = try await Relux.Store {
            Part<TagA>(states: [Log()], reducers: [hearing])
            building
        }

        await store.dispatch(
            Relux.ChildAction(
                InstancePart.self, id: "7",
                Relux.ChildAction(Chat.Module.self, id: "c", Chat.State.Action.received("x"))
            )
        )

        #expect(try await store.state(of: Log.self).entries == [#"7 c received("x")"#])
        #expect(try await store.scope(of: InstancePart.self, id: "7").state(of: Inbox.State.self).unread == ["c": 1])
    }

    @Test("a flow of a child action can't be registered")
    func flows() async throws {
        struct Wrong: Relux.Flow {
            func run(_ effect: Relux.ChildAction<Chat.Module, Chat.Count>, in context: Relux.SagaContext) async throws
                -> Int
            {
                0
            }
        }
        let module = Part<TagA>(flows: [Wrong()])

        #expect(await Relux.StoreError.name { try await Relux.Store().register(module) } == "flowOfChildAction")
    }

    @Test("the same action sent to an instance from outside names it, and a callback of another instance differs")
    func callbacks() async throws {
        let store = try await inbox()
        let callbacks = ["c1", "c2", "c1"].map { id in
            Relux.UI.ViewCallback(
                sending: Chat.State.Action.sent("x"), to: store.scope(of: Chat.Module.self, id: id).dispatcher
            )
        }
        let rows = ["c1", "c2"].map { id in
            Relux.UI.ViewCallback<Void>(to: store.scope(of: Chat.Module.self, id: id).dispatcher) {}
        }

        for callback in callbacks.dropLast() { callback.fire() }
        try await store.idle()

        #expect(callbacks[0] != callbacks[1])
        #expect(callbacks[0] == callbacks[2])
        #expect(rows[0] != rows[1])
        #expect(
            await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.state.messages) } == [
                ["x"], ["x"],
            ]
        )
    }
}
