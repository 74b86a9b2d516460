import Relux
import Testing

@Suite("Scope", .timeLimit(.minutes(10)))
struct ScopeTests {
    private let observer = TraceObserver()

    private var missing: [String] {
        observer.refusals.entries.compactMap { refusal in
            if case .noInstance(let scope) = refusal.reason { scope.description } else { nil }
        }
    }

    @Test("scopes are equal if they lead to the same instance of the same store, and so are their dispatchers")
    func equality() async throws {
        let (store, other) = (Relux.Store(), Relux.Store())
        let chat = store.scope(of: Chat.Module.self, id: "c1")

        #expect(chat == store.scope(of: Chat.Module.self, id: "c1"))
        #expect(chat.hashValue == store.scope(of: Chat.Module.self, id: "c1").hashValue)
        #expect(chat != store.scope(of: Chat.Module.self, id: "c2"))
        #expect(chat != other.scope(of: Chat.Module.self, id: "c1"))
        #expect(chat != chat.scope(of: Chat.Module.self, id: "c1"))
        #expect(chat.scope(of: Chat.Module.self, id: "c1").enclosing == chat)
        #expect(chat.enclosing == nil)
        #expect(chat.dispatcher == store.scope(of: Chat.Module.self, id: "c1").dispatcher)
        #expect(chat.dispatcher != store.dispatcher)
        #expect(chat.dispatcher.root == store.dispatcher)
        let different = [
            chat, store.scope(of: Chat.Module.self, id: "c2"), other.scope(of: Chat.Module.self, id: "c1"),
        ]
        #expect(Set(different.map(\.hashValue)).count == 3)
        #expect(Set(different.map(\.dispatcher.hashValue)).count == 3)
        #expect(chat.description == #"Chat.Module["c1"]"#)
        #expect(
            chat.scope(of: Chat.Module.self, id: "x").description == #"Chat.Module["c1"]/Chat.Module["x"]"#
        )
    }

    @Test("a lease tells the scope that it holds, and a scope the module and the id of its instance, if it has one")
    func leases() async throws {
        let store = Relux.Store()
        let chat = try await store.attach(Chat.Module(id: "c1"))
        let account = try await store.attach(Account.Module())
        let inner = try await chat.scope.attach(Part<TagA>.counting())

        await chat.scope.dispatch(Chat.State.Action.sent("a"))
        await account.scope.dispatch(Account.State.Action(name: "Ada"))

        #expect(chat.scope == store.scope(of: Chat.Module.self, id: "c1"))
        #expect(inner.scope == chat.scope)
        #expect(chat.scope.module == Chat.Module.self)
        #expect(chat.scope.id(as: String.self) == "c1")
        #expect(chat.scope.id(as: Int.self) == nil)
        #expect(store.scope(of: Form.Instance.self, id: 3).id() == 3)
        #expect(account.scope.module == nil)
        #expect(account.scope.id(as: String.self) == nil)
        #expect(try await store.state(of: Account.State.self).name == "Ada")
        #expect(try await account.scope.state(of: Account.State.self).name == "Ada")
        #expect(try await chat.scope.state(of: Chat.State.self).messages == ["a"])
    }

    @Test("a store, its scopes, and its contexts know which scopes are open")
    func open() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [
                WorkSaga { _, context in
                    let chat = context.scope(of: Chat.Module.self, id: "c1")
                    await context.dispatch(Log.Action.add("\(await context.isOpen(chat))"))
                }
            ])
        }
        let other = try await Relux.Store { Chat.Module(id: "c1") }
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        let nested = chat.scope(of: Chat.Module.self, id: "c2")

        #expect(await !store.isOpen(chat))
        let lease = try await store.attach(Chat.Module(id: "c1"))
        #expect(await store.isOpen(chat))
        #expect(await chat.isOpen(chat))
        #expect(await !store.isOpen(nested))
        #expect(await !nested.isOpen(nested))
        try await store.perform(Work())
        #expect(try await store.log() == ["true"])
        let account = try await store.attach(Account.Module())
        #expect(await store.isOpen(account.scope))

        #expect(await !other.isOpen(chat))
        await lease.end()
        #expect(await !store.isOpen(chat))
        try await store.register(Chat.Module(id: "c1"))
        #expect(await store.isOpen(chat))
        await store.shutdown()
        #expect(await !store.isOpen(chat))
        #expect(await !store.isOpen(account.scope))
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("every verb says that an instance is missing, reduces nothing, and ends at once")
    func missingInstance() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Account.Module() }
        let chat = store.scope(of: Chat.Module.self, id: "c9")

        #expect(await chat.dispatch(Account.State.Action(name: "Ada")).sequence == nil)
        #expect(await chat.dispatch(contentsOf: [Chat.State.Action.sent("a")]).sequence == nil)
        #expect(await chat.dispatch { Chat.State.Action.sent("a") }.sequence == nil)
        let performed = await #expect(throws: Relux.EffectError.self) { try await chat.perform(Chat.Count()) }
        let result = await chat.actions { Chat.Send(text: "a") }
        let read = await Relux.StoreError.name { try await chat.state(of: Chat.State.self) }
        let inClosure = await chat.read { reader -> (Bool, String, Int) in
            var thrown = ""
            do throws(Relux.StoreError) {
                _ = try reader.state(of: Account.State.self)
            } catch {
                thrown = error.name
            }
            return (
                reader[Account.State.self] == nil, thrown,
                reader.states(of: Chat.State.self, in: Chat.Module.self).count
            )
        }
        for await _ in chat.values(of: Chat.State.self) { Issue.record("There is a value.") }
        for await _ in chat.values(of: Chat.State.self, { $0.messages.count }) { Issue.record("There is a value.") }
        for await _ in chat.values({ $0[Account.State.self]?.name }) { Issue.record("There is a value.") }
        for await _ in chat.actionStream(of: Chat.State.Action.self) { Issue.record("There is an action.") }
        let registered = await Relux.StoreError.name { try await chat.register(Account.Module()) }
        let attached = await Relux.StoreError.name { try await chat.attach(Account.Module()) }
        await chat.unregister(Account.Module.self)
        await chat.cancel(Chat.Sender.self)
        await chat.reset()
        await store.unregister(Chat.Module.self, id: "c9")
        chat.send(Chat.State.Action.sent("a"))
        try await store.idle()

        guard case .noInstance(let scope) = performed, case .failure(let errors) = result, errors.count == 1,
            case Relux.EffectError.noInstance? = errors.first as? Relux.EffectError
        else {
            Issue.record("\(String(describing: (performed, result)))")
            return
        }
        #expect(scope == chat)
        #expect([read, registered, attached] == Array(repeating: "noInstance", count: 3))
        #expect(inClosure == (true, "noInstance", 0))
        #expect(missing.count == 18)
        #expect(Set(missing) == [#"Chat.Module["c9"]"#])
        #expect(observer.records.entries.isEmpty)
        #expect(observer.refusals.entries.count == 18)
        #expect(performed.map { "\($0)" }?.contains(#"There is no Chat.Module["c9"]"#) == true)
    }

    @Test("a child action for a missing instance is not numbered, alone or in a batch, and performing it throws")
    func missingChild() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            Account.Module()
            Chat.Module(id: "c1")
        }
        let lost = Relux.ChildAction(Chat.Module.self, id: "c9", Chat.State.Action.sent("a"))

        #expect(await store.dispatch(lost).sequence == nil)
        let batch = await store.dispatch {
            lost
            Account.State.Action(name: "Ada")
            lost
        }
        let error = await #expect(throws: Relux.EffectError.self) {
            try await store.perform(Relux.ChildAction(Chat.Module.self, id: "c9", Chat.Count()))
        }

        #expect(batch.sequence == 1)
        #expect(missing == Array(repeating: #"Chat.Module["c9"]"#, count: 4))
        #expect(error?.description.contains(#"There is no Chat.Module["c9"]"#) == true)
    }

    @Test("attaching another id replaces the former instance, in whatever order the two statements are executed")
    func replacedLease() async throws {
        let store = Relux.Store()
        var lease: Relux.Lease? = try await store.attach(Chat.Module(id: "c1"))
        lease = try await store.attach(Chat.Module(id: "c2"))
        #expect(await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) } == ["c2"])

        lease = nil
        lease = try await store.attach(Chat.Module(id: "c3"))
        #expect(await store.read { $0.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) } == ["c3"])

        await lease?.scope.dispatch(Chat.State.Action.sent("kept"))
        lease = try await store.attach(Chat.Module(id: "c3"))
        #expect(try await lease?.scope.state(of: Chat.State.self).messages == ["kept"])
    }

    @Test("unregistering an Identifiable module without an id removes nothing and is reported")
    func unregisterWithoutID() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Chat.Module(id: "c1") }

        await store.unregister(Chat.Module.self)

        #expect(observer.refusals.entries.first?.name == "idMissing")
        #expect(try await store.scope(of: Chat.Module.self, id: "c1").state(of: Chat.State.self) == Chat.State())
    }

    @Test("the states of all instances are read at one point, in the order of registration, and followed")
    func states() async throws {
        let store = try await Relux.Store {
            Chat.Module(id: "z")
            Chat.Module(id: "a")
        }
        var overview = store.values { reader in
            reader.states(of: Chat.State.self, in: Chat.Module.self).map { "\($0.id) \($0.state.messages.count)" }
        }.makeAsyncIterator()
        #expect(await overview.next() == ["z 0", "a 0"])

        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "a", Chat.State.Action.sent("1")))
        #expect(await overview.next() == ["z 0", "a 1"])
        let lease = try await store.attach(Chat.Module(id: "m"))
        #expect(await overview.next() == ["z 0", "a 1", "m 0"])
        await store.unregister(Chat.Module.self, id: "z")
        #expect(await overview.next() == ["a 1", "m 0"])
        let waiting = Task { [overview] in
            var overview = overview
            return await overview.next()
        }
        await lease.end()
        #expect(await waiting.value == ["a 1"])
    }
}
