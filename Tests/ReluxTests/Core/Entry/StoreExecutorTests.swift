import Dispatch
import TestFixtures
import Testing

@testable import Relux

@Suite("StoreExecutor", .timeLimit(.minutes(10)))
struct StoreExecutorTests {
    private let store: Relux.Store

    init() async throws { store = try await Relux.Store { Log.Module() } }

    private actor Caller {
        private let thread: ThreadExecutor
        private let store: Relux.Store

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.actors.asUnownedSerialExecutor() }

        init(_ store: Relux.Store, on thread: ThreadExecutor) {
            self.store = store
            self.thread = thread
        }

        func call(_ isCalling: Gate) async {
            isCalling.open()
            await store.dispatch(Log.Action.add("caller"))
        }
    }

    // It used to hang: a caller that left handed the store over to the next one in line, which couldn't run.
    @Test("a waiting caller whose executor is busy doesn't hold up others", arguments: [false, true])
    func busyExecutors(isActor: Bool) async throws {
        let occupant = await Occupant(of: store)
        let busy = ThreadExecutor()
        let (isCalling, isBusy) = (Gate(), Gate())
        let isOver = DispatchSemaphore(value: 0)
        let actor = Caller(store, on: busy)
        let caller = Task(executorPreference: isActor ? nil : busy.tasks) {
            if isActor { return await actor.call(isCalling) }
            isCalling.open()
            await store.dispatch(Log.Action.add("caller"))
        }
        await isCalling.pass()
        // The thread gets here once the caller waits.
        busy.run {
            isBusy.open()
            isOver.wait()
        }
        await isBusy.pass()

        await occupant.leave()
        await store.dispatch(Log.Action.add("other"))
        isOver.signal()
        await caller.value
        busy.end()

        #expect(try await store.log() == ["caller", "other"])
    }

    // They used to get in as they came, whatever their priorities.
    @Test("waiting callers enter by priority, and in order of arrival within a priority")
    func priorities() async throws {
        let occupant = await Occupant(of: store)
        let thread = ThreadExecutor()
        let priorities: [TaskPriority] = [.low, .high, .medium, .low, .background, .high, .medium]
        let callers = priorities.enumerated().map { number, priority in
            Task(executorPreference: thread.tasks, priority: priority) {
                await store.dispatch(Log.Action.add("\(number)"))
            }
        }
        await thread.rest()

        await occupant.leave()
        for caller in callers { _ = await caller.value }
        thread.end()

        #expect(try await store.log() == ["1", "5", "2", "6", "0", "3", "4"])
    }

    @Test("the calls of a task stay in order even if its priority is raised while it waits")
    func raisedPriority() async throws {
        let occupant = await Occupant(of: store)
        let thread = ThreadExecutor()
        let caller = Task(executorPreference: thread.tasks, priority: .background) {
            store.send(Log.Action.add("first"))
            await store.dispatch(Log.Action.add("second"))
            await store.dispatch(Log.Action.add("third"))
        }
        await thread.rest()

        let waiting = Task(priority: .high) { await caller.value }
        await occupant.leave()
        _ = await waiting.value
        thread.end()

        #expect(try await store.log() == ["first", "second", "third"])
    }

    // MARK: Occupation

    // Nothing that doesn't ask its executor finds out otherwise: the checks of isolation do.
    @Test("a caller occupies the executor on its thread until it leaves, and no other caller gets in")
    func occupation() {
        let executor = StoreExecutor(carrier: nil)

        let before = executor.isOccupiedByCurrentThread
        let isInside = executor.tryOccupy(from: nil)
        let during = executor.isOccupiedByCurrentThread
        let second = executor.tryOccupy(from: nil)
        executor.leave()
        let after = executor.isOccupiedByCurrentThread

        #expect(isInside)
        #expect([before, during, after] == [false, true, false])
        #expect(!second)
        #expect(executor.tryOccupy(from: nil))
        executor.leave()
    }

    @Test("a caller that belongs to an actor doesn't get in")
    func callerOfAnActor() {
        #expect(!StoreExecutor(carrier: nil).tryOccupy(from: MainActor.shared))
    }

    @Test("a caller that became a job is inside on the thread that runs it")
    @MainActor
    func job() async {
        let core = store.handle.core

        let isInside = await core.enter(as: .outside) { core, _ in core.executor.isOccupiedByCurrentThread }

        #expect(isInside)
        #expect(!core.executor.isOccupiedByCurrentThread)
    }

    // MARK: Mutual exclusion

    /// A number that is accessed only inside an executor.
    // @unchecked Sendable: whether the executor protects it is what the tests check.
    private final class Tally: @unchecked Sendable {
        private(set) var count = 0

        /// Takes long enough for another thread to try to enter in the meantime.
        func add() { for _ in 0..<10 { count += 1 } }
    }

    private actor Visitor {
        private let executor: StoreExecutor
        private let tally: Tally

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(on executor: StoreExecutor, adding tally: Tally) {
            self.executor = executor
            self.tally = tally
        }

        func visit() { tally.add() }
    }

    // MARK: Blocking

    @Test("inside a store, this or another one, nothing is occupied and nobody waits")
    func insideAStore() {
        let (executor, other) = (StoreExecutor(carrier: nil), StoreExecutor(carrier: nil))

        let isInside = executor.occupy()
        let again = [executor.occupy(), other.occupy(), other.tryOccupy(from: nil)]
        let isStillInside = executor.isOccupiedByCurrentThread
        executor.leave()
        let after = other.occupy()
        other.leave()

        #expect(isInside)
        #expect(again == [false, false, false])
        #expect(isStillInside)
        #expect(after)
    }

    @Test(
        "threads that block, threads that try, and jobs exclude each other, and none waits for ever",
        arguments: [false, true])
    func exclusion(onlyTries: Bool) async {
        let executor = StoreExecutor(carrier: nil)
        let tally = Tally()
        let visitor = Visitor(on: executor, adding: tally)
        let priorities: [TaskPriority] = onlyTries ? [] : [.background, .medium, .high]
        let (threads, each) = (onlyTries ? 2 : 3, 10_000)

        let visits = priorities.map { priority in
            Task.detached(priority: priority) { for _ in 0..<each { await visitor.visit() } }
        }
        await onThreads(threads) { thread in
            let own = Tally()
            for round in 0..<each {
                if onlyTries || thread == 0 && round.isMultiple(of: 2) {
                    while !executor.tryOccupy(from: nil) {}
                } else {
                    #expect(executor.occupy())
                }
                tally.add()
                executor.leave()
                // Otherwise the same thread would usually be the next to enter.
                if onlyTries { own.add() }
            }
        }
        for visit in visits { await visit.value }

        #expect(tally.count == (threads + priorities.count) * each * 10)
    }

    @Test("a blocked thread runs the jobs that came before it, whatever their priorities, and none that came after")
    func takesJobsAlong() async throws {
        for _ in 0..<50 {
            let store = try await Relux.Store { Log.Module() }
            let occupant = await Occupant(of: store)
            let thread = ThreadExecutor()
            for (number, priority) in [TaskPriority.background, .high, .low].enumerated() {
                Task(executorPreference: thread.tasks, priority: priority) {
                    await store.dispatch(Log.Action.add("\(number)"))
                }
            }
            await thread.rest()

            async let left: Void = occupant.leave()
            await onThreads(1) { _ in store.doNow(Log.Action.add("now")) }
            await left
            thread.end()

            #expect(try await store.log() == ["1", "2", "0", "now"])
        }
    }
}
