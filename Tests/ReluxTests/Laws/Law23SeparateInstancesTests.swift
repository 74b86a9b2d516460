import Relux
import Testing

@Suite("Law 23: instances are separate", .timeLimit(.minutes(10)))
struct Law23SeparateInstancesTests: Staged {
    let scene = Scene()

    /// A store with the chats c1 and c2, registered by name.
    private func store(_ chat: @Sendable (String) -> Chat.Module = { Chat.Module(id: $0) }) async throws -> Relux.Store
    {
        try await Relux.Store(.init(observers: [observer])) {
            Account.Module()
            chat("c1")
            chat("c2")
        }
    }

    private func chat(_ id: String, in store: Relux.Store) -> Relux.Scope { store.scope(of: Chat.Module.self, id: id) }

    private func messages(_ id: String, in store: Relux.Store) async -> [String]? {
        try? await chat(id, in: store).state(of: Chat.State.self).messages
    }

    @Test(
        "An action of one instance reaches that instance and its parent alone, whichever verb brings it in",
        arguments: [false, true])
    func actions(isObserved: Bool) async throws {
        let store = try await Relux.Store(.init(observers: isObserved ? [observer] : [])) {
            Inbox.Module()
            // The root owns the same state.
            Part<TagA>(states: [Chat.State()])
        }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))
        let chat = chat("c1", in: store)

        await chat.dispatch(Chat.State.Action.received("a"))
        await chat.dispatch(contentsOf: [Chat.State.Action.received("b")])
        await chat.dispatch {
            Chat.State.Action.received("c")
            Chat.State.Action.received("d")
        }
        chat.send(Chat.State.Action.received("e"))
        try await chat.perform(Chat.Send(text: "f"))
        await chat.actions { Chat.Send(text: "g") }
        await chat.dispatcher.dispatch(Chat.State.Action.sent("h"))
        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.sent("i")))

        #expect(await messages("c1", in: store)?.joined() == "abcdefghi")
        #expect(await messages("c2", in: store) == [])
        #expect(try await store.state(of: Chat.State.self).messages == [])
        #expect(try await store.state(of: Inbox.State.self).unread == ["c1": 5])
        #expect(observer.refusals.entries.isEmpty)
        let records = observer.records.entries
        #expect(records.map(\.sequence) == (isObserved ? Array(1...12) : []))
        #expect(records.dropFirst().allSatisfy { $0.scope == chat })
    }

    @Test("Policies with equal ids concern each instance for itself")
    func policies() async throws {
        let store = try await store { Chat.Module(id: $0, gate: gate, policy: .latest(id: "same")) }

        let results = ["c1", "c2"].map { id in
            Task { [chat = chat(id, in: store)] in await chat.actions { Chat.Send(text: id) } }
        }
        await gate.arrivals(atLeast: 2)
        gate.open()

        for result in results { #expect("\(await result.value)" == "success") }
        for id in ["c1", "c2"] { #expect(await messages(id, in: store) == [id]) }
    }

    @Test("A watcher and a stream hear the actions of their own instance")
    func streams() async throws {
        let store = try await store { Chat.Module(id: $0, heard: trace) }
        let stream = chat("c2", in: store).actionStream(of: Chat.State.Action.self)

        await store.dispatch {
            for (id, text) in [("c1", "a"), ("c2", "b"), ("c1", "c")] {
                Relux.ChildAction(Chat.Module.self, id: id, Chat.State.Action.received(text))
            }
        }
        let heard = await trace.entries(atLeast: 3)
        await store.shutdown()

        #expect(await stream.elements() == [.received("b")])
        #expect(heard.filter { $0.contains("c1") } == [#"Chat.Module["c1"] a"#, #"Chat.Module["c1"] c"#])
        #expect(heard.filter { !$0.contains("c1") } == [#"Chat.Module["c2"] b"#])
        #expect(trace.entries.count == 3)
    }

    @Test("Values and selections follow their own instance")
    func values() async throws {
        let store = try await store()
        let chat = chat("c2", in: store)
        var whole = chat.values(of: Chat.State.self).makeAsyncIterator()
        var counts = chat.values(of: Chat.State.self) { $0.messages.count }.makeAsyncIterator()
        var names = chat.values { reader in
            (reader[Chat.State.self]?.messages ?? []) + [reader[Account.State.self]?.name ?? "–"]
        }.makeAsyncIterator()
        #expect(await whole.next()?.messages == [])
        #expect(await counts.next() == 0)
        #expect(await names.next() == ["nobody"])

        await store.dispatch {
            Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.sent("a"))
            Relux.ChildAction(Chat.Module.self, id: "c2", Chat.State.Action.sent("b"))
            Account.State.Action(name: "Ada")
        }

        #expect(await whole.next()?.messages == ["b"])
        #expect(await counts.next() == 1)
        #expect(await names.next() == ["b", "Ada"])
    }

    @Test("Resetting, cancelling, and unregistering one instance leaves the other alone")
    func ends() async throws {
        let store = try await store { Chat.Module(id: $0, gate: gate) }
        let (first, second) = (chat("c1", in: store), chat("c2", in: store))
        await store.dispatch {
            for id in ["c1", "c2"] {
                Relux.ChildAction(Chat.Module.self, id: id, Chat.State.Action.sent("before"))
                Relux.ChildAction(Chat.Module.self, id: id, Chat.Send(text: "late"))
            }
        }
        await gate.arrivals(atLeast: 2)

        await first.cancel(Chat.Sender.self)
        #expect(try await first.state(of: Chat.State.self).isSending == false)
        #expect(try await second.state(of: Chat.State.self).isSending == true)
        let reset = Task { await first.reset() }
        var values = first.values(of: Chat.State.self) { $0.messages }.makeAsyncIterator()
        while let messages = await values.next(), !messages.isEmpty {}
        #expect(await messages("c2", in: store) == ["before"])
        let end = Task { await store.unregister(Chat.Module.self, id: "c1") }
        while await values.next() != nil {}
        #expect(await messages("c1", in: store) == nil)

        gate.open()
        await reset.value
        await end.value
        try await store.idle()
        #expect(await messages("c2", in: store) == ["before", "late"])
        #expect(await store.leftovers() == [:])
    }

    // A concurrent run has no lane, and a serial one does.
    @Test("A run that has ended leaves nothing in its instance", arguments: [Relux.Policy.concurrent, .serial])
    func endedRuns(policy: Relux.Policy) async throws {
        let store = try await Relux.Store { Chat.Module(id: "c1", policy: policy) }

        try await chat("c1", in: store).perform(Chat.Send(text: "a"))

        #expect(await messages("c1", in: store) == ["a"])
        #expect(await store.leftovers() == [:])
    }

    @Test("A run of an instance that is gone can't write to a new instance with the same id, and reads nothing of it")
    func generations() async throws {
        let contexts = Trace<Relux.SagaContext>()
        let saga = ClosureSaga<Chat.Finished> { _, context in
            contexts.note(context)
            await gate.pass()
            await context.dispatch(Chat.State.Action.sent("stale"))
            context.send(Chat.State.Action.sent("stale"))
            await context.dispatch(Relux.ChildAction(Chat.Module.self, id: "c1", Chat.State.Action.sent("stale")))
        }
        let store = Relux.Store(.init(observers: [observer]))
        let lease = try await store.attach(Chat.Module(id: "c1"))
        try await lease.scope.register(Part<TagA>(sagas: [saga]))
        await lease.scope.dispatch(Chat.Finished())
        await gate.arrivals()

        var values = lease.scope.values(of: Chat.State.self).makeAsyncIterator()
        let end = Task { await lease.end() }
        while await values.next() != nil {}
        try await store.register(Chat.Module(id: "c1"))
        gate.open()
        await end.value
        try await store.idle()

        #expect(await messages("c1", in: store) == [])
        let old = try #require(contexts.entries.first)
        #expect(await old.read { $0[Chat.State.self] } == nil)
        #expect(observer.reasons.count { $0 == "staleWrite" } == 3)
    }

    @Test("The instances of a closed store are gone, and nothing is left of them")
    func closing() async throws {
        let store = try await store { Chat.Module(id: $0, heard: Trace(), dependencies: [Part<TagA>.counting()]) }
        let chat = chat("c1", in: store)

        await store.shutdown()

        await #expect(throws: Relux.StoreError.self) { try await chat.state(of: Chat.State.self) }
        #expect(await chat.dispatch(Chat.State.Action.sent("a")).sequence == nil)
        #expect(observer.moduleCount == 0)
        #expect(await store.contents() == [:])
        #expect(await store.leftovers() == [:])
    }
}
