import Relux
import Testing

@Suite("Law 20: lossless actions", .timeLimit(.minutes(10)))
struct Law20LosslessActionsTests: Staged {
    let scene = Scene()

    private func store() async throws -> Relux.Store {
        try await Relux.Store { Ledger.Module() }
    }

    @Test("a stream delivers every action since its creation, in order, whichever verb is used")
    func streamsDeliverEverything() async throws {
        let store = try await store()
        await store.dispatch(Ledger.Write(number: -1))
        let stream = store.actionStream(of: Ledger.Write.self)
        let verbs: [WritingVerb] = [.send, .dispatch, .array, .notContiguous, .builder, .actions, .sendByDispatcher]

        for (number, verb) in verbs.enumerated() { try await verb.submit(Ledger.Write(number: number), to: store) }

        #expect(await stream.prefix(verbs.count).elements().map(\.number) == Array(0..<verbs.count))
    }

    @Test("a stream that is created while others write starts at one point and delivers everything from there")
    func streamsMadeInBetween() async throws {
        let store = try await store()
        let rounds = 200

        async let writing: Void = {
            for number in 0..<rounds { await store.dispatch(Ledger.Write(number: number)) }
        }()
        var streams: [Relux.ActionStream<Ledger.Write>] = []
        for _ in 0..<20 {
            streams.append(store.actionStream(of: Ledger.Write.self))
            _ = await store.read { _ in true }
        }
        await writing
        await store.dispatch(Ledger.Write(number: rounds))

        for stream in streams {
            let numbers = await stream.prefix { $0.number < rounds }.elements().map(\.number) + [rounds]
            let start = numbers[0]
            #expect(numbers == Array(start...rounds))
        }
    }

    @Test("a stream delivers what the middleware let through, as it was reduced")
    func streamsFollowMiddleware() async throws {
        let middleware = HookMiddleware { action, _ in
            guard let write = action as? Ledger.Write else { return .proceed }
            switch write.number % 3 {
            case 0: return .proceed
            case 1: return .replace(with: Ledger.Write(writer: 1, number: write.number))
            default: return .drop(reason: "third")
            }
        }
        let store = try await Relux.Store(.init(middleware: [middleware])) { Ledger.Module() }
        let stream = store.actionStream(of: Ledger.Write.self)

        for number in 0..<3 { await store.dispatch(Ledger.Write(number: number)) }
        await store.dispatch(contentsOf: (3..<6).map { Ledger.Write(number: $0) })

        let taken = await stream.prefix(4).elements()
        #expect(taken.map(\.number) == [0, 1, 3, 4])
        #expect(taken.map(\.writer) == [0, 1, 0, 1])
    }

    @Test("a cancelled consumer loses none of the remaining actions")
    func cancelledConsumersLoseNothing() async throws {
        let store = try await store()
        let rounds = 50
        var taken: [Ledger.Write] = []
        let stream = store.actionStream(of: Ledger.Write.self)

        for round in 0..<rounds {
            let consumer = Task { await stream.elements() }
            store.send(Ledger.Write(number: round * 2))
            await store.dispatch(Ledger.Write(number: round * 2 + 1))
            consumer.cancel()
            taken += await consumer.value
        }
        taken += await stream.prefix(rounds * 2 - taken.count).elements()

        #expect(taken.map(\.number) == Array(0..<rounds * 2))
    }

    @Test("if several tasks iterate, each action is delivered to one of them")
    func consumersShare() async throws {
        let store = try await store()
        let stream = store.actionStream(of: Ledger.Write.self)
        let count = 300

        let consumers = (0..<3).map { _ in
            Task { await stream.elements().map(\.number) }
        }
        for number in 0..<count { await store.dispatch(Ledger.Write(number: number)) }
        await store.shutdown()
        var all: [Int] = []
        for consumer in consumers {
            let numbers = await consumer.value
            #expect(numbers == numbers.sorted())
            all += numbers
        }

        #expect(all.sorted() == Array(0..<count))
    }

    @Test(
        "streams end with the store, after the buffered actions, and one that is created later is empty",
        arguments: [false, true])
    func streamsEndWithTheStore(isReleased: Bool) async throws {
        var store: Relux.Store? = try await store()
        let stream = try #require(store?.actionStream(of: Ledger.Write.self))
        let waiting = try #require(store?.actionStream(of: Log.Action.self))
        let consumer = Task { await waiting.elements() }
        for number in 0..<3 { await store?.dispatch(Ledger.Write(number: number)) }

        if !isReleased { await store?.shutdown() }
        let late = isReleased ? nil : store?.actionStream(of: Ledger.Write.self)
        store = nil

        #expect(await consumer.value == [])
        #expect(await stream.elements().map(\.number) == [0, 1, 2])
        #expect(await late?.elements() ?? [] == [])
    }

    @Test("a released stream no longer receives actions")
    func releasedStreamsUnsubscribe() async throws {
        let store = Relux.Store(.init(observers: [observer]))
        var stream: Relux.ActionStream<Ledger.Write>? = store.actionStream(of: Ledger.Write.self)
        var iterator = stream?.makeAsyncIterator()

        await store.dispatch(Ledger.Write(number: 0))
        let afterStream = observer.refusals.entries.count
        stream = nil
        await store.dispatch(Ledger.Write(number: 1))
        let taken = [await iterator?.next()?.number, await iterator?.next()?.number]
        let afterIterator = observer.refusals.entries.count
        iterator = nil
        await store.dispatch(Ledger.Write(number: 2))

        #expect(stream == nil)
        #expect(taken == [0, 1])
        #expect(afterStream == 0)
        #expect(afterIterator == 0)
        #expect(observer.refusals.entries.map { "\($0.reason)" } == ["actionNotTaken"])
    }

    @Test("a stream holds actions only until they are taken")
    func streamsReleaseTakenActions() async throws {
        let store = try await store()
        let stream = store.actionStream(of: ProbedAction.self)
        let gone = await Probe.pass { await store.dispatch(ProbedAction(probe: $0)) }
        let isHeld = !gone.hasFired

        _ = await stream.first { _ in true }

        #expect(isHeld)
        #expect(gone.hasFired)
    }

    // MARK: Watchers

    @Test("after a reset, a watcher's stream of a listed type includes every action since the reset, and none before")
    func watchersReachBackToTheReset() async throws {
        let heard = Trace<Int>()
        let store = try await store()
        let watcher = ClosureWatcher(listens: [Ledger.Write.self]) { context in
            await gate.pass()
            try Task.checkCancellation()
            for await write in context.actionStream(of: Ledger.Write.self) { heard.note(write.number) }
        }
        try await store.register(Part<TagA>(watchers: [watcher]))
        await gate.arrivals()
        await store.dispatch(Ledger.Write(number: 1))

        async let reset: Void = store.reset()
        _ = await store.values(of: Ledger.State.self).first { $0.writes.isEmpty }
        await store.dispatch(Ledger.Write(number: 2))
        gate.open()
        await reset
        await store.dispatch(Ledger.Write(number: 3))

        #expect(await heard.entries(atLeast: 2) == [2, 3])
    }

    @Test(
        "a watcher's first stream of a listed type includes every action since the registration, and no other stream does"
    )
    func watchersReachBack() async throws {
        let heard = Trace<[Int]>()
        let store = try await store()
        let watcher = ClosureWatcher(listens: [Ledger.Write.self]) { context in
            await gate.pass()
            let first = context.actionStream(of: Ledger.Write.self)
            let second = context.actionStream(of: Ledger.Write.self)
            let ofAnotherType = context.actionStream(of: Ledger.Deliver.self)
            context.send(Ledger.Write(number: 5))
            context.send(Ledger.Deliver(write: Ledger.Write(number: 6)))
            heard.note(await first.prefix(5).elements().map(\.number))
            heard.note(await second.prefix(1).elements().map(\.number))
            heard.note(await ofAnotherType.prefix(1).elements().map(\.write.number))
        }
        await store.dispatch(Ledger.Write(number: 0))
        try await store.register(Part<TagA>(watchers: [watcher]))

        for number in 1...3 { await store.dispatch(Ledger.Write(number: number)) }
        await gate.arrivals()
        await store.dispatch(Ledger.Deliver(write: Ledger.Write(number: 0)))
        await store.dispatch(Ledger.Write(number: 4))
        gate.open()

        #expect(await heard.entries(atLeast: 3) == [[1, 2, 3, 4, 5], [5], [6]])
    }

    private struct Parcel: Relux.Action {
        let content: Farewell
    }

    /// Who keeps actions that nobody takes.
    enum Keeper: CaseIterable, Sendable {
        case endedWatcher, removedWatcher, resetWatcher, slidingStream, droppingStream, releasedStream
    }

    // They were released inside a lock that their deinitialisers needed, and the process was trapped or hung.
    @Test("what is kept or dropped may use the store when it goes", arguments: Keeper.allCases)
    func actionsThatUseTheStore(keeper: Keeper) async throws {
        let store = try await Relux.Store { Ledger.Module() }
        link.connect(to: store)
        let watcher = ClosureWatcher(listens: [Parcel.self]) { _ in
            await gate.pass()
            if keeper != .endedWatcher { try await untilCancelled() }
        }
        let buffering: Relux.StreamBuffering? =
            switch keeper {
            case .slidingStream: .sliding(1)
            case .droppingStream: .dropping(1)
            case .releasedStream: .unbounded
            default: nil
            }
        var stream = buffering.map { store.actionStream(of: Parcel.self, buffering: $0) }
        if stream == nil { try await store.register(Part<TagA>(watchers: [watcher])) }

        for number in 0..<3 {
            let content = Farewell {
                link.store?.send(Ledger.Write(number: number))
                link.store?.doNow(Tick())
            }
            await store.dispatch(Parcel(content: content))
        }
        gate.open()
        let events = store.values(of: Ledger.State.self, \.writes.count)
        switch keeper {
        case .removedWatcher: await store.unregister(Part<TagA>.self)
        case .resetWatcher: await store.reset()
        default: stream = nil
        }
        // Hangs if one of them is lost.
        for await count in events where count == 3 { break }

        #expect(stream == nil)
        #expect(Set(try await store.state(of: Ledger.State.self).writes.map(\.number)) == [0, 1, 2])
    }
}
