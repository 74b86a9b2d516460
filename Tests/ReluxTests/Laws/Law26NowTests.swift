import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 26: now means now", .timeLimit(.minutes(10)))
struct Law26NowTests: Staged {
    let scene = Scene()

    private func makeStore(_ modules: any Relux.Module...) async throws -> Relux.Store {
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(contentsOf: [Log.Module()] + modules)
        return store
    }

    /// Where a synchronous verb is called.
    enum Place: CaseIterable, Sendable {
        case mainActor, thread, task

        /// Calls a function there, and returns when that has returned.
        func callAsFunction(_ body: @escaping @Sendable () -> Void) async {
            switch self {
            case .mainActor: await MainActor.run { body() }
            case .thread: await onThreads(1) { _ in body() }
            case .task: await Task.detached { body() }.value
            }
        }
    }

    // MARK: What has happened when a call returns

    @Test(
        "when it returns, the action has been reduced and its runs have been started, which the receipt awaits",
        arguments: Place.allCases)
    func hasHappened(place: Place) async throws {
        let store = try await makeStore(
            Part<TagA>(
                reducers: [.init(of: Log.self, on: Work.self) { log, work in log.entries.append(work.name) }],
                sagas: [
                    WorkSaga { _, context in
                        await gate.pass()
                        await context.dispatch(Log.Action.add("done"))
                        throw TestFailure()
                    }
                ],
                dependencies: [Log.Module()]
            )
        )
        let receipts = Trace<Relux.Dispatched>()

        await place {
            receipts.note(store.doNow(Work(name: "now")))
            trace.note("\((try? store.lookNow(at: Log.self).entries) ?? [])")
            trace.note("\(observer.trace.entries.suffix(2))")
        }
        gate.open()

        let receipt = try #require(receipts.entries.first)
        #expect(await receipt.outcome().endings == [.threw(TestFailure())])
        #expect(receipt.sequence == 1)
        #expect(trace.entries == ["\(["now"])", "\(["1 Work(name: \"now\")", "start 1"])"])
        #expect(try await store.log() == ["now", "done"])
    }

    @Test("a run that it starts begins as a task, never inside the call", arguments: [Place.mainActor, .thread])
    func runsBeginAsTasks(place: Place) async throws {
        let wasInCall = Trace<Bool>()
        let store = try await makeStore(WorkSaga { _, _ in wasInCall.note(isInCall()) }.module())

        for _ in 0..<50 {
            await place {
                // Of this thread.
                Thread.current.threadDictionary["isInCall"] = true
                store.doNow(Work())
                store.doNow(contentsOf: [Work(), Work()])
                Thread.current.threadDictionary["isInCall"] = nil
            }
            try await store.idle()
        }

        #expect(wasInCall.entries == Array(repeating: false, count: 150))
    }

    @Test("a batch is reduced in one step, and its number is that of its last action", arguments: Place.allCases)
    func batch(place: Place) async throws {
        let store = try await makeStore()
        let (numbers, counts) = (Trace<UInt64?>(), Trace<Int>())
        let values = store.values(of: Log.self) { $0.entries.count }
        let reading = Task { for await count in values.prefix(2) { counts.note(count) } }
        await counts.entries(atLeast: 1)

        await place {
            numbers.note(store.doNow(contentsOf: ["a", "b", "c"].map { Log.Action.add($0) }).sequence)
            numbers.note(store.doNow(contentsOf: [Log.Action]()).sequence)
        }
        await reading.value

        #expect(numbers.entries == [3, nil])
        #expect(counts.entries == [0, 3])
        #expect(try await store.log() == ["a", "b", "c"])
    }

    @Test("reading now gives the newest value, of one state or of several at one point", arguments: Place.allCases)
    func newestValue(place: Place) async throws {
        let store = try await makeStore(Scales.Module())

        await place {
            for weight in 1...3 {
                store.send(Scales.Load(weight: weight))
                let left = try? store.lookNow(at: Scales.Left.self).weight
                let both = store.lookNow { reader in Scales.Reading(reader) }
                trace.note("\(left ?? -1) \(both.left) \(both.right)")
            }
        }

        #expect(trace.entries == ["1 1 1", "3 3 3", "6 6 6"])
    }

    @Test("the body of a read may use what belongs to its caller, and its error is thrown")
    @MainActor
    func bodies() async throws {
        /// Not sendable.
        final class Box { var values: [Int] = [] }
        let store = try await makeStore(Scales.Module())
        let box = Box()

        store.lookNow { reader in box.values.append(reader[Scales.Left.self]?.loads ?? -1) }
        #expect(throws: TestFailure.self) {
            try store.lookNow { _ throws(TestFailure) -> Int in throw TestFailure() }
        }

        #expect(box.values == [0])
        #expect(await store.dispatch(Scales.Load()).sequence == 1)
    }

    @Test("a scope and a dispatcher act in their instance")
    func instances() async throws {
        let store = try await makeStore(Chat.Module(id: "a"), Chat.Module(id: "b"))
        let (a, none) = (store.scope(of: Chat.Module.self, id: "a"), store.scope(of: Chat.Module.self, id: "none"))

        a.doNow(Chat.State.Action.received("1"))
        a.dispatcher.doNow(Chat.State.Action.received("2"))
        let missing = none.doNow(Chat.State.Action.received("3"))
        let messages = try a.lookNow(at: Chat.State.self).messages
        let other = try store.scope(of: Chat.Module.self, id: "b").lookNow(at: Chat.State.self).messages

        #expect(messages == ["1", "2"])
        #expect(other == [])
        #expect(missing.sequence == nil)
        #expect(throws: Relux.StoreError.self) { try none.lookNow(at: Chat.State.self) }
        #expect(observer.reasons == ["noInstance", "noInstance"])
    }

    // MARK: Order

    @Test("it comes after what the calling task has sent", arguments: Place.allCases)
    func afterSends(place: Place) async throws {
        let store = try await makeStore()

        await place {
            for round in 0..<100 {
                store.send(Log.Action.add("sent \(round)"))
                store.dispatcher.send(Log.Action.add("sent by dispatcher \(round)"))
                store.doNow(Log.Action.add("now \(round)"))
            }
        }

        let expected = (0..<100).flatMap { ["sent \($0)", "sent by dispatcher \($0)", "now \($0)"] }
        #expect(try await store.log() == expected)
    }

    @Test(
        "it comes after the dispatches that tasks of the same actor have begun and that still wait, whatever their priorities",
        arguments: [false, true], [false, true])
    @MainActor
    func afterWaitingDispatches(isFreedBefore: Bool, isRead: Bool) async throws {
        let priorities: [TaskPriority] = [.background, .high, .low, .medium, .background, .high]
        for _ in 0..<50 {
            let store = try await makeStore()
            let occupant = await Occupant(of: store)
            let beginning = Trace<Int>()
            let callers = priorities.enumerated().map { number, priority in
                Task(priority: priority) { @MainActor in
                    // The test continues here when the task has left the main actor, and thus waits.
                    beginning.note(number)
                    await store.dispatch(Log.Action.add("\(number)"))
                }
            }
            await beginning.entries(atLeast: priorities.count)

            // A thread, because the pool may be busy with what waits for the main actor.
            if isFreedBefore { occupant.letLeave() } else { Thread.detachNewThread { occupant.letLeave() } }
            if !isRead {
                store.send(Log.Action.add("sent"))
                store.doNow(Log.Action.add("now"))
            }
            let seen = store.lookNow { reader in reader[Log.self]?.entries ?? [] }
            for caller in callers { await caller.value }
            await occupant.left()

            #expect(Set(seen) == Set((0..<priorities.count).map { "\($0)" } + (isRead ? [] : ["sent", "now"])))
            #expect(isRead || seen.last == "now")
            #expect(try await store.log() == seen)
        }
    }

    // MARK: The end

    @Test("after the release of the store, and without one, nothing happens")
    func afterRelease() async throws {
        var store: Relux.Store? = try await makeStore(Chat.Module(id: "a"))
        let scope = store?.scope(of: Chat.Module.self, id: "a")
        let dispatchers = [store?.dispatcher, Relux.Dispatcher.none].compactMap { $0 }
        store = nil

        let receipts = dispatchers.map { $0.doNow(Log.Action.add("late")) }
        let error = #expect(throws: Relux.StoreError.self) { try scope?.lookNow(at: Chat.State.self) }

        #expect(receipts.map(\.sequence) == [nil, nil])
        #expect(error?.name == "storeShutDown")
    }

    @Test("releasing a store while threads wait for it leaves nobody waiting, and each action is reduced or refused")
    func releaseWhileThreadsWait() async throws {
        for _ in 0..<50 {
            let (inside, isInside, isOver) = (RelaxedCounter(), Gate(), DispatchSemaphore(value: 0))
            let observer = TraceObserver()
            let numbers = Trace<UInt64?>()
            // Ticks stay inside until the semaphore lets them go on.
            let staying = Relux.Reducer(of: ProbedState.self, on: Tick.self) { _, _ in
                inside.increment()
                isInside.open()
                isOver.wait()
            }
            var store: Relux.Store? = Relux.Store(.init(observers: [observer]))
            let gone = try await Probe.pass { [store] probe in
                try await store?.register(Part<TagA>(states: [ProbedState(probe: probe)], reducers: [staying]))
            }
            let dispatcher = store?.dispatcher ?? .none

            async let threads: Void = onThreads(4) { thread in
                if thread == 0 {
                    dispatcher.doNow(Tick())
                } else {
                    inside.reach(1)
                    numbers.note(dispatcher.doNow(ProbedState.Action.count).sequence)
                }
            }
            await isInside.pass()
            store = nil
            isOver.signal()
            await threads

            // What arrives after the release has no observers any more to which it could be reported.
            let reduced = numbers.entries.compactMap { $0 }.sorted()
            #expect(numbers.entries.count == 3)
            #expect(reduced == Array((2 as UInt64)..<UInt64(reduced.count + 2)))
            #expect(observer.records.entries.map(\.sequence) == [1] + reduced)
            #expect(await gone.happened())
        }
    }

    // MARK: Mixed calls

    /// Makes one of the calls that take an action, by chance.
    private nonisolated(nonsending) static func write(
        _ write: Ledger.Write, to store: Relux.Store, _ random: inout SeededGenerator
    ) async {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: store.doNow(write)
        case 3: store.doNow(contentsOf: [write])
        case 4: _ = (store.lookNow { $0[Ledger.State.self]?.writes.count }, store.doNow(write))
        case 5: store.send(write)
        default: await store.dispatch(write)
        }
    }

    /// Makes many calls where the caller is isolated.
    private nonisolated(nonsending) static func writeAll(_ count: Int, as writer: Int, to store: Relux.Store) async {
        var random = SeededGenerator(seed: UInt64(writer))
        for number in 0..<count { await write(Ledger.Write(writer: writer, number: number), to: store, &random) }
    }

    @Test("200,000 calls from threads, tasks, and the main actor: none is lost, and each caller's stay in order")
    func mixedCalls() async throws {
        let store = Relux.Store()
        try await store.register(Ledger.Module())
        let (each, threads) = (25_000, 2)

        let onMainActor = (5..<8).map { writer in
            Task { @MainActor in await Self.writeAll(each, as: writer, to: store) }
        }
        await withTaskGroup { group in
            for writer in threads..<5 { group.addTask { await Self.writeAll(each, as: writer, to: store) } }
            group.addTask {
                await onThreads(threads) { thread in
                    for number in 0..<each {
                        let write = Ledger.Write(writer: thread, number: number)
                        if number.isMultiple(of: 7) { store.send(write) } else { store.doNow(write) }
                    }
                }
            }
        }
        for task in onMainActor { await task.value }
        let state = try await store.state(of: Ledger.State.self)

        #expect(state.writes.count == 8 * each)
        var numbers: [Int: [Int]] = [:]
        for write in state.writes { numbers[write.writer, default: []].append(write.number) }
        for writer in 0..<8 { #expect(numbers[writer] == Array(0..<each), "writer \(writer)") }
        #expect(store.doNow(Ledger.Write(number: 0)).sequence == UInt64(8 * each + 1))
    }

    @Test("under a seeded executor, the seed alone decides the order")
    func deterministic() async throws {
        func order(seed: UInt64) async throws -> (writes: [Ledger.Write], choices: [SeededExecutor.Choice]) {
            let world = SeededExecutor(seed: seed)
            let store = Relux.Store(.init(executor: world))
            try await store.register(Ledger.Module())
            for writer in 0..<4 {
                Task(executorPreference: world) { await Self.writeAll(20, as: writer, to: store) }
            }
            await world.rest()
            #expect(world.strays == 0)
            return (try await store.state(of: Ledger.State.self).writes, world.choices)
        }
        var orders: Set<[Ledger.Write]> = []

        for seed in 0..<10 as Range<UInt64> {
            let (first, second) = (try await order(seed: seed), try await order(seed: seed))

            #expect(first.writes == second.writes, "seed \(seed)")
            #expect(first.choices == second.choices, "seed \(seed)")
            for writer in 0..<4 {
                #expect(first.writes.filter { $0.writer == writer }.map(\.number) == Array(0..<20), "seed \(seed)")
            }
            orders.insert(first.writes)
        }

        #expect(orders.count > 5)
    }
}

/// Whether the current thread is inside a call that a test has marked.
private func isInCall() -> Bool { Thread.current.threadDictionary["isInCall"] != nil }
