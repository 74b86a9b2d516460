import Relux
import TestFixtures
import Testing

@Suite("Law 20: lossless actions", .timeLimit(.minutes(10)))
struct Law20LosslessActionsTests {
    private func store() async throws -> Relux.Store {
        try await Relux.Store { Ledger.Module() }
    }

    /// Takes `count` actions from a stream.
    private static func take(_ count: Int, from stream: Relux.ActionStream<Ledger.Write>) async -> [Ledger.Write] {
        var taken: [Ledger.Write] = []
        var iterator = stream.makeAsyncIterator()
        while taken.count < count, let write = await iterator.next() { taken.append(write) }
        return taken
    }

    @Test("a stream delivers every action since its creation, in order, whichever verb is used")
    func streamsDeliverEverything() async throws {
        let store = try await store()
        await store.dispatch(Ledger.Write(number: -1))
        let stream = store.actionStream(of: Ledger.Write.self)
        let verbs: [WritingVerb] = [.send, .dispatch, .array, .notContiguous, .builder, .actions, .sendByDispatcher]

        for (number, verb) in verbs.enumerated() { try await verb.submit(Ledger.Write(number: number), to: store) }

        let taken = await Self.take(verbs.count, from: stream)
        #expect(taken.map(\.number) == Array(0..<verbs.count))
    }

    @Test("nothing is lost or delivered twice while many tasks write and one reads")
    func nothingIsLostUnderContention() async throws {
        let store = try await store()
        let stream = store.actionStream(of: Ledger.Write.self)
        let writers = 6
        let rounds = 150

        let taken = await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<rounds {
                        let write = Ledger.Write(writer: writer, number: number)
                        switch number % 3 {
                        case 0: store.send(write)
                        case 1: await store.dispatch(write)
                        default: await store.dispatch { write }
                        }
                    }
                    return [Ledger.Write]()
                }
            }
            group.addTask { await Self.take(writers * rounds, from: stream) }
            return await group.reduce(into: []) { $0 += $1 }
        }

        #expect(try await store.state(of: Ledger.State.self).writes == taken)
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
            var numbers: [Int] = []
            for await write in stream {
                numbers.append(write.number)
                if write.number == rounds { break }
            }
            let start = try #require(numbers.first)
            #expect(numbers == Array(start...rounds))
        }
    }

    @Test("an answer can't be missed by a stream that was created before the question")
    func answersArrive() async throws {
        let store = try await Relux.Store {
            WorkSaga { work, context in await context.dispatch(Log.Action.add(work.name)) }.module()
        }

        for round in 0..<200 {
            let answers = store.actionStream(of: Log.Action.self)
            store.send(Work(name: "\(round)"))

            #expect(await answers.first { _ in true } == .add("\(round)"))
        }
    }

    @Test("an action through `any Action` reaches the streams of its own type and no others")
    func streamsMatchExactly() async throws {
        let store = try await store()
        let writes = store.actionStream(of: Ledger.Write.self)
        let deliveries = store.actionStream(of: Ledger.Deliver.self)
        let write = Ledger.Write(number: 1)
        let delivery = Ledger.Deliver(write: Ledger.Write(number: 2))

        for action in [write, delivery] as [any Relux.Action] { await store.dispatch(action) }
        await store.shutdown()

        var taken: [Ledger.Write] = []
        for await write in writes { taken.append(write) }
        var delivered: [Ledger.Deliver] = []
        for await delivery in deliveries { delivered.append(delivery) }
        #expect(taken == [write])
        #expect(delivered == [delivery])
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

        let taken = await Self.take(4, from: stream)
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
            let consumer = Task {
                var taken: [Ledger.Write] = []
                for await write in stream { taken.append(write) }
                return taken
            }
            store.send(Ledger.Write(number: round * 2))
            await store.dispatch(Ledger.Write(number: round * 2 + 1))
            consumer.cancel()
            taken += await consumer.value
        }
        taken += await Self.take(rounds * 2 - taken.count, from: stream)

        #expect(taken.map(\.number) == Array(0..<rounds * 2))
    }

    @Test("if several tasks iterate, each action is delivered to one of them")
    func consumersShare() async throws {
        let store = try await store()
        let stream = store.actionStream(of: Ledger.Write.self)
        let count = 300

        let consumers = (0..<3).map { _ in
            Task {
                var numbers: [Int] = []
                for await write in stream { numbers.append(write.number) }
                return numbers
            }
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

    @Test("streams end with the store, after the buffered actions", arguments: [false, true])
    func streamsEndWithTheStore(isReleased: Bool) async throws {
        var store: Relux.Store? = try await store()
        let stream = try #require(store?.actionStream(of: Ledger.Write.self))
        let waiting = try #require(store?.actionStream(of: Log.Action.self))
        let consumer = Task { for await _ in waiting {} }
        for number in 0..<3 { await store?.dispatch(Ledger.Write(number: number)) }

        if !isReleased { await store?.shutdown() }
        store = nil

        await consumer.value
        var numbers: [Int] = []
        for await write in stream { numbers.append(write.number) }
        #expect(numbers == [0, 1, 2])
    }

    @Test("a stream that is created after the end is empty")
    func streamsAfterTheEnd() async throws {
        let store = try await store()
        await store.shutdown()

        let stream = store.actionStream(of: Ledger.Write.self)

        #expect(await stream.first { _ in true } == nil)
    }

    @Test("a released stream no longer receives actions")
    func releasedStreamsUnsubscribe() async throws {
        let observer = TraceObserver()
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
        final class Load: Sendable {}
        struct Carry: Relux.Action { let load: Load }
        let store = try await store()
        let stream = store.actionStream(of: Carry.self)
        weak var load: Load?

        do {
            let carried = Load()
            load = carried
            await store.dispatch(Carry(load: carried))
        }
        let isHeld = load != nil
        _ = await stream.first { _ in true }

        #expect(isHeld)
        #expect(load == nil)
    }

    // MARK: Watchers

    /// Records the writes that its stream delivers.
    private struct Listener: Relux.Watcher {
        let gate: Gate
        let streamed: Trace<Int>
        var listens: [any Relux.Action.Type] = [Ledger.Write.self]

        func watch(in context: Relux.SagaContext) async throws {
            await gate.pass()
            try Task.checkCancellation()
            let stream = context.actionStream(of: Ledger.Write.self)
            context.send(Log.Action.add("ready"))
            for await write in stream {
                streamed.note(write.number)
                await context.dispatch(Log.Action.add("\(write.number)"))
            }
        }
    }

    private func listening(
        to listens: [any Relux.Action.Type]
    ) async throws -> (store: Relux.Store, gate: Gate, streamed: Trace<Int>) {
        let gate = Gate()
        let streamed = Trace<Int>()
        let store = try await store()
        await store.dispatch(Ledger.Write(number: 0))
        try await store.register(SagaModule(watchers: [Listener(gate: gate, streamed: streamed, listens: listens)]))
        return (store, gate, streamed)
    }

    @Test("a watcher's stream of a listed type includes every action since the registration")
    func watchersReachBack() async throws {
        let (store, gate, streamed) = try await listening(to: [Ledger.Write.self])
        let answers = store.actionStream(of: Log.Action.self)

        for number in 1...3 { await store.dispatch(Ledger.Write(number: number)) }
        await gate.arrivals()
        await store.dispatch(Ledger.Write(number: 4))
        gate.open()
        _ = await answers.first { $0 == .add("4") }

        #expect(streamed.entries == [1, 2, 3, 4])
    }

    @Test("its stream of another type starts at its creation")
    func otherStreamsBeginLate() async throws {
        let (store, gate, streamed) = try await listening(to: [])
        let answers = store.actionStream(of: Log.Action.self)

        await store.dispatch(Ledger.Write(number: 1))
        gate.open()
        _ = await answers.first { $0 == .add("ready") }
        await store.dispatch(Ledger.Write(number: 2))
        _ = await answers.first { $0 == .add("2") }

        #expect(streamed.entries == [2])
    }

    @Test("after a reset, it includes every action since the reset and none from before")
    func watchersReachBackToTheReset() async throws {
        let (store, gate, streamed) = try await listening(to: [Ledger.Write.self])
        let answers = store.actionStream(of: Log.Action.self)
        await gate.arrivals()
        await store.dispatch(Ledger.Write(number: 1))

        async let reset: Void = store.reset()
        _ = await store.values(of: Ledger.State.self).first { $0.writes.isEmpty }
        await store.dispatch(Ledger.Write(number: 2))
        gate.open()
        await reset
        await store.dispatch(Ledger.Write(number: 3))
        _ = await answers.first { $0 == .add("3") }

        #expect(streamed.entries == [2, 3])
    }

    @Test("only its first stream of a listed type includes earlier actions")
    func onlyTheFirstStreamReachesBack() async throws {
        struct Twice: Relux.Watcher {
            let gate: Gate
            let seen: Trace<[Int]>
            var listens: [any Relux.Action.Type] { [Ledger.Write.self] }

            func watch(in context: Relux.SagaContext) async throws {
                await gate.pass()
                let first = context.actionStream(of: Ledger.Write.self)
                let second = context.actionStream(of: Ledger.Write.self)
                context.send(Ledger.Write(number: 2))
                var numbers: [Int] = []
                for await write in first.prefix(2) { numbers.append(write.number) }
                seen.note(numbers)
                seen.note([await second.first { _ in true }?.number ?? -1])
                await context.dispatch(Log.Action.add("done"))
            }
        }
        let gate = Gate()
        let seen = Trace<[Int]>()
        let store = try await store()
        try await store.register(SagaModule(watchers: [Twice(gate: gate, seen: seen)]))
        let answers = store.actionStream(of: Log.Action.self)

        await store.dispatch(Ledger.Write(number: 1))
        gate.open()
        _ = await answers.first { _ in true }

        #expect(seen.entries == [[1, 2], [2]])
    }

    @Test("actions that an ended watcher never requested are released")
    func endedWatchersKeepNothing() async throws {
        struct Idle: Relux.Watcher {
            var listens: [any Relux.Action.Type] { [Ledger.Write.self] }

            func watch(in context: Relux.SagaContext) async throws {
                await context.dispatch(Log.Action.add("over"))
            }
        }
        let ends = Gate()
        let refusals = Trace<Relux.Refusal>()
        let store = Relux.Store(.init(observers: [EndObserver(ends: ends, refusals: refusals)]))
        try await store.register(SagaModule(watchers: [Idle()]))
        await ends.pass()

        await store.dispatch(Ledger.Write(number: 1))

        #expect(refusals.entries.map { "\($0.reason)" } == ["actionNotTaken"])
    }

    /// An action that calls a closure when it goes.
    private struct Parcel: Relux.Action {
        final class Content: Sendable {
            let number: Int
            let store: StoreLink

            init(_ number: Int, to store: StoreLink) {
                self.number = number
                self.store = store
            }

            deinit {
                store.store?.send(Ledger.Write(number: number))
                store.store?.doNow(Tick())
            }
        }

        let content: Content
    }

    /// Who keeps actions that nobody takes.
    enum Keeper: CaseIterable, Sendable {
        case endedWatcher, removedWatcher, resetWatcher, slidingStream, droppingStream, releasedStream
    }

    // They were released inside a lock that their deinitialisers needed, and the process was trapped or hung.
    @Test("what is kept or dropped may use the store when it goes", arguments: Keeper.allCases)
    func actionsThatUseTheStore(keeper: Keeper) async throws {
        let link = StoreLink()
        let gate = Gate()
        let store = try await Relux.Store { Ledger.Module() }
        link.connect(to: store)
        let watcher = ClosureWatcher(listens: [Parcel.self]) { _ in
            await gate.pass()
            if keeper != .endedWatcher { try await untilCancelled() }
        }
        let buffering: Relux.StreamBuffering =
            switch keeper {
            case .slidingStream: .sliding(1)
            case .droppingStream: .dropping(1)
            default: .unbounded
            }
        var stream: Relux.ActionStream<Parcel>?
        switch keeper {
        case .endedWatcher, .removedWatcher, .resetWatcher: try await store.register(Part<TagA>(watchers: [watcher]))
        default: stream = store.actionStream(of: Parcel.self, buffering: buffering)
        }

        for number in 0..<3 { await store.dispatch(Parcel(content: Parcel.Content(number, to: link))) }
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

    private struct EndObserver: Relux.StoreObserver {
        let ends: Gate
        let refusals: Trace<Relux.Refusal>

        func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) { ends.open() }
        func refused(_ refusal: Relux.Refusal) { refusals.note(refusal) }
    }
}
