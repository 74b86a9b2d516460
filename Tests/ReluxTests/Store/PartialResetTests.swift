import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Resets with a last action, and of some modules", .timeLimit(.minutes(10)))
struct PartialResetTests: Staged {
    let scene = Scene()

    @Test("the last action is reduced after the reset, in its step: nobody sees the initial values")
    func then() async throws {
        let world = SeededExecutor(seed: 1)
        let store = try await Relux.Store(.init(executor: world, observers: [observer])) { Part<TagA>.counting() }
        await store.dispatch(Counter<TagA>.Add(amount: 5))
        let seen = Trace<Int>()
        await world.settle {
            for await value in store.values(of: Counter<TagA>.self) {
                seen.note(value.value)
                if value.value == 1 { break }
            }
        }
        let initial = await world.settle { try await store.wait(until: Counter<TagA>.self) { $0.value == 0 } }

        await world.settle { await store.reset(then: Counter<TagA>.Add(amount: 1)) }
        initial.cancel()
        await world.rest()

        #expect(seen.entries == [5, 1])
        #expect(await Ending.of { try await initial.value } == .cancellationError)
        #expect(await store.count(of: TagA.self) == 1)
        #expect(observer.trace.entries.suffix(2).first?.hasPrefix("reset") == true)
    }

    @Test("a run that resets is the cause of the last action, and its sagas start after the reset")
    func cause() async throws {
        let store = try await makeStore(
            observers: [observer],
            ClosureSaga<Chore> { _, context in
                await context.reset(then: Work(name: "session"))
                await context.dispatch(Log.Action.add("chore"))
            },
            WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) })

        await store.dispatch(Chore())
        try await store.idle()

        #expect(Set(try await store.log()) == ["session", "chore"])
        #expect(observer.records.entries.first { $0.action is Work }?.cause?.id == 1)
        #expect(observer.refusals.entries.isEmpty)
    }

    // MARK: Some modules

    @Test("only the named modules lose their states, and their runs are cancelled without cleaning up")
    func only() async throws {
        let store = Relux.Store(.init(observers: [observer]))
        let other = ClosureSaga<Errand>(cleanup: { _ in .add("errand cancelled") }) { _, _ in try await untilCancelled()
        }
        let kept = ClosureSaga<Chore>(cleanup: { _ in .add("chore cancelled") }) { _, _ in try await untilCancelled() }
        try await store.register(
            Part<TagA>(
                states: [Counter<TagA>()],
                sagas: [
                    WorkSaga(cleanup: { _ in .add("work cancelled") }) { _, context in
                        try await context.perform(Errand())
                    }
                ]),
            Part<TagB>(states: [Counter<TagB>()], sagas: [other, kept]), Log.Module())
        await store.dispatch(Counter<TagA>.Add())
        await store.dispatch(Counter<TagB>.Add())
        await store.dispatch(Chore())
        let errands = store.actionStream(of: Errand.self)
        let work = await store.dispatch(Work())
        _ = await errands.first { _ in true }

        await store.reset(only: [Part<TagA>.self], then: Log.Action.add("then"))

        #expect(await store.count(of: TagA.self) == 0)
        #expect(await store.count(of: TagB.self) == 1)
        #expect(await work.outcome().endings == [.cancelled])
        // What the module performed elsewhere cleans up.
        #expect(try await store.log() == ["then", "errand cancelled"])
        #expect(observer.trace.entries.filter { $0.hasPrefix("end") } == ["end 3 cancelled", "end 2 cancelled"])
        await store.cancel(ClosureSaga<Chore>.self)
    }

    @Test("watchers of the module restart, and those of others continue")
    func watchers() async throws {
        let (begun, beginnings) = (Trace<String>(), Gate())
        beginnings.open()
        func watcher(_ name: String) -> ClosureWatcher {
            ClosureWatcher { _ in
                begun.note(name)
                await beginnings.pass()
                try await untilCancelled()
            }
        }
        let store = Relux.Store()
        try await store.register(Part<TagA>(watchers: [watcher("a")]), Part<TagB>(watchers: [watcher("b")]))
        await beginnings.arrivals(atLeast: 2)

        await store.reset(only: [Part<TagA>.self])
        await beginnings.arrivals(atLeast: 3)
        await store.shutdown()

        #expect(begun.entries.sorted() == ["a", "a", "b"])
    }

    @Test("the instances of the module are reset with everything in them, and those that follow its states")
    func instances() async throws {
        let store = try await Relux.Store { Inbox.Module() }
        try await store.register(Account.Module(), Chat.Module(id: "by name"))
        await store.dispatch(Inbox.State.Action.open("a"))
        await store.dispatch(Account.State.Action(name: "ann"))
        await store.dispatch(Inbox.ChatAction(id: "by name", .sent("hello")))
        let named = store.scope(of: Chat.Module.self, id: "by name")

        await store.reset(only: [Inbox.Module.self])
        let messages = try await named.state(of: Chat.State.self).messages
        let open = try await store.state(of: Inbox.State.self).open
        await store.reset(only: [Chat.Module.self])

        #expect(open == [])
        #expect(messages == ["hello"])
        #expect(try await named.state(of: Chat.State.self).messages == [])
        #expect(try await store.state(of: Account.State.self).name == "ann")
    }

    @Test("a run of the module that resets it is spared, and what it has performed ends, timeouts included")
    func caller() async throws {
        let store = try await makeStore { _, context in
            async let timed: Void = context.timeout(after: .seconds(9)) { context in
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    gate.open()
                }
                await context.dispatch(Log.Action.add("from before"))
            }
            await gate.arrivals()
            await context.reset(only: [SagaModule.self, Log.Module.self])
            gate.open()
            _ = try? await timed
            await context.dispatch(Log.Action.add("spared"))
        }
        await store.dispatch(Log.Action.add("old"))

        try await store.perform(Work())

        #expect(try await store.log() == ["spared"])
    }

    @Test(
        "what the runs of a module or an instance have performed elsewhere cleans up, and is waited for",
        arguments: [false, true])
    func performedElsewhere(inInstance: Bool) async throws {
        let (world, gate, trace) = (SeededExecutor(seed: 1), Gate(), Trace<String>())
        let store = Relux.Store(.init(executor: world))
        let errand = ClosureSaga<Errand>(cleanup: { _ in .add("errand cancelled") }) { _, _ in await gate.pass() }
        let work = WorkSaga(cleanup: { _ in .add("work cancelled") }) { _, context in
            Task(executorPreference: world) { try await context.perform(Errand()) }
            try await untilCancelled()
        }
        try await store.register(
            errand.alone, Part<TagA>(sagas: [work]), InstancePart.logging("page", sagas: [work]))
        let page = store.scope(of: InstancePart.self, id: "page")
        await page.dispatch(Log.Action.add("old"))
        await world.settle { _ = await inInstance ? page.dispatch(Work()) : store.dispatch(Work()) }

        await world.settle {
            let (own, last) = (Part<TagA>.self, Log.Action.add("last"))
            if inInstance { await page.reset(then: last) } else { await store.reset(only: [own], then: last) }
            trace.note("reset")
        }
        #expect(trace.entries == [])
        await world.open(gate)

        #expect(trace.entries == ["reset"])
        #expect(try await store.log() == (inInstance ? [] : ["last"]) + ["errand cancelled"])
        // In an instance, the last action is reduced there.
        #expect(try await page.state(of: Log.self).entries == [inInstance ? "last" : "old"])
    }

    @Test("a module that isn't registered is reported, and the others are reset")
    func unknown() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Part<TagA>.counting() }
        await store.dispatch(Counter<TagA>.Add())

        await store.reset(only: [Part<TagB>.self, Part<TagA>.self])

        #expect(await store.count(of: TagA.self) == 0)
        #expect(observer.reasons == ["moduleNotRegistered"])
    }

    @Test(
        "the windows of the module's throttles close, in named lanes, too, and those of others stay",
        arguments: [false, true], [false, true])
    func windows(inNamedLanes: Bool, replacing: Bool) async throws {
        let store = Relux.Store(.init(clock: ManualClock(), observers: [observer]))
        @Sendable func policy(_ name: String) -> Relux.Policy {
            let policy = Relux.Policy.throttle(.seconds(9), trailing: false)
            return inNamedLanes ? policy.in(Relux.Lane(name)) : policy
        }
        let other = Part<TagB>(sagas: [ClosureSaga<Chore>(policy: { _ in policy("other") }) { _, _ in }])
        try await store.register(
            Part<TagA>(sagas: [ClosureSaga<Errand>(policy: { _ in policy("own") }) { _, _ in }]), other)
        try await store.perform(Errand())
        try await store.perform(Chore())
        if replacing { try await store.replace(other) }

        await store.reset(only: [Part<TagA>.self])

        #expect(await Ending.of { try await store.perform(Errand()) } == .returned)
        // A window without a name goes with its saga.
        let isOpen = inNamedLanes || !replacing
        #expect(await Ending.of { try await store.perform(Chore()) } == (isOpen ? .dropped : .returned))
    }

    @Test("the windows of other modules and instances stay, even if their sagas have the same type")
    func windowsOfOneType() async throws {
        let (store, ran) = (Relux.Store(.init(clock: ManualClock())), Trace<String>())
        @Sendable func saga(_ name: String) -> any Relux.Saga {
            WorkSaga(policy: .throttle(.seconds(9), trailing: false).in(Relux.Lane(name))) { _, _ in ran.note(name) }
        }
        let child = Relux.Children.each(of: Pages.self, \.open) { id, _ in
            InstancePart(id: id, sagas: [saga("own page")])
        }
        try await store.register(
            Part<TagA>(states: [Pages(open: ["own"])], sagas: [saga("own")], children: [child]),
            Part<TagB>(sagas: [saga("other")]), InstancePart(id: "other", sagas: [saga("other page")]))
        func work() async {
            await store.dispatch(Work()).finished()
            for id in ["own", "other"] {
                await store.scope(of: InstancePart.self, id: id).dispatch(Work()).finished()
            }
        }

        await work()
        await store.reset(only: [Part<TagA>.self])
        await work()

        #expect(ran.entries.sorted() == ["other", "other page", "own", "own", "own page", "own page"])
    }
}
