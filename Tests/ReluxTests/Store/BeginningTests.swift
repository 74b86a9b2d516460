import Foundation
import Relux
import TestFixtures
import Testing

/// Whether the calling thread is the main thread. On Apple systems, asynchronous code can't ask for it.
private func isOnMainThread() -> Bool { Thread.isMainThread }

/// A run starts in a task of its own, never on the stack or the thread of the task that performs it.
@Suite("Where a run starts", .timeLimit(.minutes(10)))
struct BeginningTests {
    private let trace = Trace<String>()

    @Test("a run that has not suspended yet sees the cancellation of its caller")
    func cancelledBeforeItWaits() async throws {
        let hasBegun = DispatchSemaphore(value: 0)
        // The run occupies its thread, and the store receives the cancellation on another one. A busy thread holds up
        // neither the others nor the pool.
        let freshThreads = ClosureExecutor { Thread.detachNewThread($0) }
        let store = try await Relux.Store(.init(executor: freshThreads)) {
            WorkSaga { _, _ in
                hasBegun.signal()
                // Busy work that polls for cancellation.
                while !Task.isCancelled {}
            }.module()
        }
        let caller = Task { try await store.perform(Work()) }

        // A separate thread, because waiting would block one of the pool.
        Thread.detachNewThread {
            hasBegun.wait()
            caller.cancel()
        }

        #expect(await Ending.of { try await caller.value } == .cancelled)
    }

    private struct Countdown: Relux.Effect {
        var number: Int
    }

    @Test("effects may perform each other to any depth")
    func deep() async throws {
        let store = try await Relux.Store {
            ClosureSaga<Countdown> { countdown, context in
                if countdown.number > 0 { try await context.perform(Countdown(number: countdown.number - 1)) }
                await context.dispatch(Log.Action.add("\(countdown.number)"))
            }.alone
        }

        try await store.perform(Countdown(number: 3_000))

        #expect(try await store.log() == (0...3_000).map { "\($0)" })
    }

    // Such a run used to stay in the table without a task, so that no wait for it ever ended.
    @Test("a run whose performer is refused the wait for it ends without having begun")
    func refusedBefore() async throws {
        let store = try await Relux.Store {
            WorkSaga { work, _ in
                trace.note("\(work.name), cancelled: \(Task.isCancelled)")
            }.module(
                ClosureSaga<Work>(policy: { $0.name == "outer" ? .latest : .serial }) { work, context in
                    guard work.name == "outer" else { return }
                    trace.note("\(await Ending.of { try await context.perform(Work(name: "inner")) })")
                }
            )
        }

        try await store.perform(Work(name: "outer"))
        try await store.idle()

        #expect(
            Set(trace.entries) == ["outer, cancelled: false", "\(Ending.cycle(waiting: "outer", on: "inner"))"]
        )
    }

    @Test("a run begins for those who share it, even if its performer was cancelled before")
    func sharedBefore() async throws {
        let (performers, sharers) = (Trace<Relux.Dispatched>(), Trace<Relux.Dispatched>())
        let dispatchers = Trace<Relux.Dispatcher>()
        let (isWaiting, mayPerform, isShared) = (Gate(), Gate(), Gate())
        let thread = ThreadExecutor()
        defer { thread.end() }
        // On the performer's thread, after its visit of the store and before it awaits the run.
        let interfere = { @Sendable in
            let isDone = DispatchSemaphore(value: 0)
            Task.detached(executorPreference: thread.tasks) {
                sharers.note(await dispatchers.entries[0].dispatch(Job("sharing", .shared)))
                isShared.open()
                performers.entries[0].cancel()
                // Takes the cancellation along.
                await dispatchers.entries[0].dispatch(Log.Action.add("interfered"))
                isDone.signal()
            }
            isDone.wait()
        }
        let store = try await Relux.Store {
            WorkSaga { _, context in
                await mayPerform.pass()
                try await context.perform(Job("performed", .latest))
            }.module(
                ClosureSaga<Job>(policy: { $0.policy }) { job, _ in
                    trace.note(job.name)
                    guard job.name == "superseded" else { return await isShared.pass() }
                    await withTaskCancellationHandler {
                        isWaiting.open()
                        try? await untilCancelled()
                    } onCancel: {
                        interfere()
                    }
                }
            )
        }
        dispatchers.note(store.dispatcher)
        await store.dispatch(Job("superseded", .latest))
        await isWaiting.pass()
        performers.note(await store.dispatch(Work()))

        mayPerform.open()
        let outcome = await performers.entries[0].outcome()
        try await store.idle()

        #expect("\(outcome)" == "cancelled")
        #expect(trace.entries == ["superseded", "performed"])
        #expect("\(await sharers.entries[0].outcome())" == "success")
    }

    // It used to overflow the stack: a store that had no runs yet counted none in the thread either.
    @Test("effects may perform each other through thousands of stores")
    func deepInManyStores() async throws {
        // The thread sanitizer takes ten times as long, and other tests wait meanwhile.
        #if RELUX_TSAN
            let count = 2_000
        #else
            let count = 20_000
        #endif
        var stores: [Relux.Store] = []
        for number in 1...count {
            let next = stores.last?.dispatcher
            stores.append(
                try await Relux.Store {
                    ClosureSaga<Countdown> { countdown, context in
                        try await next?.perform(Countdown(number: number - 1))
                        await context.dispatch(Log.Action.add("\(number)"))
                    }.alone
                }
            )
        }

        try await stores.last?.perform(Countdown(number: count))

        #expect(try await stores.first?.log() == ["1"])
        #expect(try await stores.last?.log() == ["\(count)"])
    }

    @Test("loops of performs that never suspend don't starve other tasks")
    func loops() async throws {
        let others = RelaxedCounter()

        // Twice as many loops as the pool has threads. Without yielding, this would hang.
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                // Each loop has its own store, because callers of the same store would wait for each other.
                let store = try await Relux.Store { WorkSaga { _, _ in }.module() }
                group.addTask {
                    while others.count == 0 { try? await store.perform(Work()) }
                }
            }
            group.addTask { others.increment() }
        }
    }

    @Test("the main thread neither reduces nor starts a run, whatever the main actor calls")
    @MainActor
    func mainActor() async throws {
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga { _, context in
                    let isOnMain = isOnMainThread()
                    await context.dispatch(Log.Action.add("\(isOnMain)"))
                }
            ])
            Part<TagA>(
                reducers: [
                    .init(of: Log.self, on: Tick.self) { log, _ in log.entries.append("\(Thread.isMainThread)") },
                    .init(of: Log.self, on: Work.self) { log, _ in log.entries.append("\(Thread.isMainThread)") },
                ], dependencies: [Log.Module()])
        }

        await store.dispatch(Tick())
        await store.dispatch { Tick() }
        try await store.perform(Work())
        await store.actions { Work() }
        store.send(Tick())

        // Five reductions, and two runs.
        #expect(try await store.log() == Array(repeating: "false", count: 7))
    }
}
