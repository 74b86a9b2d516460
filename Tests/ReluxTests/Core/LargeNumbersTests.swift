import Relux
import ReluxTesting
import TestFixtures
import Testing

/// What these tests do took a time that grew with the square of their numbers: each of them would have taken minutes.
@Suite("Large numbers of streams, instances, and waiters", .timeLimit(.minutes(10)))
struct LargeNumbersTests {
    @Test("20,000 streams of an instance can be dropped, and the one that is left misses nothing")
    func droppedStreams() async throws {
        let store = try await Relux.Store { Chat.Module(id: "a") }
        let chat = store.scope(of: Chat.Module.self, id: "a")

        let left = chat.actionStream(of: Chat.State.Action.self)
        var dropped = (0..<20_000).map { _ in chat.actionStream(of: Chat.State.Action.self) }
        await chat.dispatch(Chat.State.Action.received("before"))
        dropped = []
        await chat.dispatch(Chat.State.Action.received("after"))
        await store.unregister(Chat.Module.self, id: "a")

        #expect(dropped.isEmpty)
        #expect(await left.elements() == [.received("before"), .received("after")])
    }

    @Test("2,000 actions can open 2,000 children, one by one, and close them again")
    func children() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Inbox.Module() }
        let ids = (0..<2_000).map { "\($0)" }

        for id in ids { await store.dispatch(Inbox.State.Action.open(id)) }
        let opened = await store.read { reader in reader.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) }
        for id in ids { await store.dispatch(Inbox.State.Action.close(id)) }
        let left = await store.read { reader in reader.states(of: Chat.State.self, in: Chat.Module.self).map(\.id) }

        #expect(opened == ids)
        #expect(left == [])
        #expect(observer.moduleCount == 1)
        #expect(observer.refusals.entries.isEmpty)
    }

    /// Whether what a task waits for has happened: something with a counter, or idleness.
    private func awaited(_ wait: CountWait?, in store: Relux.Store) async -> Bool {
        guard let wait else { return (try? await store.idle()) != nil }
        return (try? await wait(in: store)) != nil
    }

    @Test(
        "10,000 waiters can be cancelled, and the one that is left gets what it waits for",
        arguments: CountWait.allCases + [nil])
    func cancelledWaiters(wait: CountWait?) async throws {
        let world = SeededExecutor(seed: 1)
        let store = Relux.Store(.init(executor: world))
        let gate = Gate()
        try await store.register(
            Part<TagA>(
                states: [Counter<TagA>()],
                sagas: [WorkSaga { _, _ in await gate.pass() }]
            )
        )
        await world.settle { await store.dispatch(Work()) }
        let left = await world.settle { await awaited(wait, in: store) }
        let waiters = (0..<10_000).map { _ in Task(executorPreference: world) { await awaited(wait, in: store) } }
        await world.rest()

        for waiter in waiters { waiter.cancel() }
        await world.rest()
        var results: Set<Bool> = []
        for waiter in waiters { results.insert(await waiter.value) }
        await world.settle { await store.dispatch(Counter<TagA>.Add()) }
        await world.open(gate)

        #expect(results == [false])
        #expect(try await left.value)
    }

    @Test("3,000 of 6,000 children that require their parent, which only a dependency holds, close in one step")
    func childrenThatRequireTheirParent() async throws {
        let pages = Relux.Children.each(of: Inbox.State.self, \.open) { id, _ in
            InstancePart(id: id, states: [Log()], requires: [Part<TagA>.self])
        }
        let parent = Part<TagA>(states: [Inbox.State()], children: [pages])
        let store = try await Relux.Store { Part<TagB>(dependencies: [parent]) }
        let ids = (0..<6_000).map { "\($0)" }

        await store.dispatch(Inbox.State.Action.set(ids))
        await store.dispatch(Inbox.State.Action.set(Array(ids.prefix(3_000))))

        #expect(await store.read { $0.states(of: Log.self, in: InstancePart.self).count } == 3_000)
    }
}
