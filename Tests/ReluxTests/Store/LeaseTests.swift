import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Lease", .timeLimit(.minutes(10)))
struct LeaseTests: Staged {
    private let world = SeededExecutor(seed: 5)
    let scene = Scene()

    @Test("a lease that is ended twice counts once")
    func endsOnce() async throws {
        let store = Relux.Store()
        let first = try await store.attach(Part<TagA>.counting())
        let second = try await store.attach(Part<TagA>.counting())

        await first.end()
        await first.end()

        #expect(await store.count(of: TagA.self) == 0)
        await second.end()
        #expect(await store.count(of: TagA.self) == nil)
    }

    @Test("a registration by name and a lease hold a module independently", arguments: [true, false])
    func sharesWithOwners(isLeaseFirst: Bool) async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Part<TagA>.counting() }
        let lease = try await store.attach(Part<TagA>.counting())

        if isLeaseFirst { await lease.end() } else { await store.unregister(Part<TagA>.self) }
        #expect(await store.count(of: TagA.self) == 0)
        if isLeaseFirst { await store.unregister(Part<TagA>.self) } else { await lease.end() }

        #expect(await store.count(of: TagA.self) == nil)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("releasing a lease doesn't wait for the module's runs, but ending it does")
    func endWaits() async throws {
        let store = Relux.Store(.init(executor: world))
        let module = Part<TagA>(
            states: [Counter<TagA>()],
            sagas: [
                WorkSaga { [gate, trace] _, _ in
                    await gate.pass()
                    trace.note("ran")
                }
            ]
        )
        var released: Relux.Lease? = try await store.attach(module)
        await world.settle { await store.dispatch(Work()) }
        withExtendedLifetime(released) {}
        released = nil
        #expect(await store.count(of: TagA.self) == nil)
        let ended = try await store.attach(module)
        await world.settle { await store.dispatch(Work()) }

        await world.settle { [trace] in
            await ended.end()
            trace.note("ended")
        }

        #expect(trace.entries == [])
        await world.open(gate)
        #expect(trace.entries == ["ran", "ran", "ended"])
    }

    @Test("a lease of an old generation doesn't affect a later one", arguments: [true, false])
    func oldLeaseDoesNothing(isReleased: Bool) async throws {
        let store = try await Relux.Store { Chat.Module(id: "c1") }
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        var old: Relux.Lease? = try await chat.attach(Part<TagA>.counting())
        // The instance takes what is inside it with it, leased or not.
        await store.unregister(Chat.Module.self, id: "c1")
        try await store.register(Chat.Module(id: "c1"))
        try await chat.register(Part<TagA>.counting(from: 2))

        if !isReleased { await old?.end() }
        withExtendedLifetime(old) {}
        old = nil

        #expect(await chat.read { $0[Counter<TagA>.self]?.value } == 2)
        await chat.unregister(Part<TagA>.self)
        #expect(await chat.read { $0[Counter<TagA>.self]?.value } == nil)
    }

    @Test("a run that ends the lease on its own module is ended, and isn't waited for")
    func endsFromInside() async throws {
        let leases = Trace<Relux.Lease>()
        let store = Relux.Store(.init(executor: world))
        leases.note(
            try await store.attach(
                Part<TagA>(
                    states: [Counter<TagA>()],
                    sagas: [
                        WorkSaga { [trace] _, context in
                            await leases.entries.first?.end()
                            trace.note("cancelled: \(Task.isCancelled)")
                            await context.dispatch(Counter<TagA>.Add())
                        }
                    ]
                )
            )
        )

        await world.settle { await store.dispatch(Work()) }

        #expect(trace.entries == ["cancelled: true"])
        #expect(await store.count(of: TagA.self) == nil)
    }

}
