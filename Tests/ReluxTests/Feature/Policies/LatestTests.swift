import Relux
import Testing

@Suite("Law 9: the latest policy")
struct LatestTests {
    @Test("a new trigger supersedes the active run and starts immediately, without waiting for that run to end")
    func supersedes() async throws {
        let jobs = try await JobStore(gated: ["old"])
        await jobs.dispatch("old", .latest)
        await jobs.arrival(of: "old")

        // The old run ignores cancellation, so this would hang if the new run waited for it.
        let ending = await jobs.perform("new", .latest)

        #expect(ending == .returned)
        #expect(try await jobs.finalLog() == ["old+", "new+", "new-"])
        #expect(jobs.ends == ["end 2 finished", "end 1 superseded"])
    }

    @Test("the old run's perform throws superseded when that run has ended")
    func oldPerform() async throws {
        let jobs = try await JobStore(gated: ["old"])
        let old = await jobs.performing("old", .latest)
        await jobs.arrival(of: "old")

        await jobs.dispatch("new", .latest)
        jobs.release("old")

        #expect(await old.value == .superseded)
        #expect(try await !jobs.finalLog().contains("old-"))
    }

    @Test("the task of a superseded run is cancelled")
    func taskIsCancelled() async throws {
        let store = try await Relux.Store {
            WorkSaga(policy: .latest) { work, _ in
                if work.name == "old" { try await untilCancelled() }
            }.module()
        }
        let handle = await store.dispatch(Work(name: "old"))

        await store.dispatch(Work(name: "new"))

        // This would hang if the old run's task continued.
        await handle.finished()
    }

    @Test("of many triggers in a row, only the last one completes its work")
    func onlyTheLast() async throws {
        for _ in 0..<50 {
            let store = try await Relux.Store {
                WorkSaga(policy: .latest) { work, context in
                    await context.dispatch(Log.Action.add(work.name))
                    await context.dispatch(Log.Action.add(work.name))
                }.module()
            }

            for number in 0..<10 { await store.dispatch(Work(name: "\(number)")) }
            try await store.idle()

            let log = try await store.log()
            #expect(log.suffix(2) == ["9", "9"])
            #expect(log == log.sorted())
        }
    }

    @Test("runs with other ids continue")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a", "b", "c"])
        await jobs.dispatch("a", .latest(id: 1))
        await jobs.dispatch("b", .latest(id: 2))
        await jobs.dispatch("c", .latest)
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")
        await jobs.arrival(of: "c")

        await jobs.dispatch("d", .latest(id: 2))
        let log = try await jobs.finalLog()

        #expect(Set(log.filter { $0.hasSuffix("-") }) == ["a-", "c-", "d-"])
    }

    @Test("each saga has its own lanes, even for the same trigger with the same id")
    func lanesOfASaga() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(policy: .latest(id: 1)) { work, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("first \(work.name)"))
                },
                WorkSaga(policy: .serial(id: 1)) { work, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("second \(work.name)"))
                },
            ])
        }

        await store.dispatch(Work(name: "a"))
        await store.dispatch(Work(name: "b"))
        await gate.arrivals(atLeast: 3)
        gate.open()
        try await store.idle()

        #expect(try await store.log().sorted() == ["first b", "second a", "second b"])
    }

    @Test("a cancelled run makes room, and the cancellation doesn't affect its successor")
    func cancellation() async throws {
        let jobs = try await JobStore(gated: ["old", "new"])
        let old = await jobs.performing("old", .latest)
        await jobs.arrival(of: "old")

        old.cancel()
        let new = await jobs.performing("new", .latest)
        await jobs.arrival(of: "new")
        jobs.release("old")
        let ending = await old.value
        jobs.release("new")

        #expect(ending == .cancelled)
        #expect(await new.value == .returned)
        #expect(try await jobs.finalLog() == ["old+", "cleaned up old", "new+", "new-"])
    }

    @Test("cancelling the caller of a superseded run doesn't affect the successor")
    func cancelledCallerOfTheOld() async throws {
        let jobs = try await JobStore(gated: ["old", "new"])
        let old = await jobs.performing("old", .latest)
        await jobs.arrival(of: "old")
        let new = await jobs.performing("new", .latest)
        await jobs.arrival(of: "new")

        old.cancel()
        jobs.release("old")
        let ending = await old.value
        jobs.release("new")

        #expect(ending == .superseded)
        #expect(await new.value == .returned)
    }

    @Test("a failed run has ended, so the next one supersedes nothing")
    func failure() async throws {
        let jobs = try await JobStore { job, _ in if job.name == "bad" { throw TestFailure() } }

        #expect(await jobs.perform("bad", .latest) == .failed(TestFailure()))
        #expect(await jobs.perform("good", .latest) == .returned)
        #expect(jobs.ends.last == "end 2 finished")
    }

    @Test("an error that a superseded run throws late is hidden from its caller and from failures")
    func lateFailure() async throws {
        let jobs = try await JobStore(gated: ["old"]) { job, _ in if job.name == "old" { throw TestFailure() } }
        let failures = jobs.store.failures
        let old = await jobs.performing("old", .latest)
        await jobs.arrival(of: "old")

        await jobs.dispatch("new", .latest)
        jobs.release("old")
        let ending = await old.value
        await jobs.store.shutdown()

        #expect(ending == .superseded)
        var count = 0
        for await _ in failures { count += 1 }
        #expect(count == 0)
    }

    @Test("a run that performs its own id is superseded by its child, which continues")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            guard job.name == "outer" else { return }
            let ending = await Ending.of { try await context.perform(Job("inner", .latest)) }
            // The child has succeeded, but this run has been superseded.
            #expect(ending == .returned)
        }

        let ending = await jobs.perform("outer", .latest)

        #expect(ending == .superseded)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-"])
        #expect(jobs.ends == ["end 2 finished", "end 1 superseded"])
    }

    @Test("a run that performs its own id through another run is superseded by that child, which continues")
    func selfPerformThroughAnother() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [
                WorkSaga(policy: .latest) { work, context in
                    await context.dispatch(Log.Action.add("\(work.name)+"))
                    if work.name == "outer" { try await context.perform(Errand()) }
                    await context.dispatch(Log.Action.add("\(work.name)-"))
                },
                ClosureSaga<Errand> { _, context in try await context.perform(Work(name: "inner")) },
            ])
        }

        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }
        try await store.idle()

        #expect(ending == .superseded)
        #expect(try await store.log() == ["outer+", "inner+", "inner-"])
        let ends = observer.trace.entries.filter { $0.hasPrefix("end") }
        #expect(ends == ["end 3 finished", "end 2 cancelled", "end 1 superseded"])
    }

    @Test("a run that performs its own id in a timeout is superseded by its child, which the deadline doesn't affect")
    func selfPerformInATimeout() async throws {
        let jobs = try await JobStore(gated: ["inner"]) { job, context in
            guard job.name == "outer" else { return }
            try await context.timeout(after: .seconds(1)) { try await $0.perform(Job("inner", .latest)) }
        }

        let outer = await jobs.performing("outer", .latest)
        await jobs.arrival(of: "inner")
        await jobs.clock.sleepers(atLeast: 1)
        await jobs.clock.advance(by: .seconds(1))
        let ending = await outer.value

        #expect(ending == .superseded)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-"])
    }

    @Test("ids are compared by value")
    func idTypes() async throws {
        struct Pair: Hashable { let name: String, number: Int }
        let jobs = try await JobStore(gated: ["a", "b"])
        await jobs.dispatch("a", .latest(id: Pair(name: "x", number: 1)))
        await jobs.dispatch("b", .latest(id: Pair(name: "x", number: 2)))
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")

        await jobs.dispatch("c", .latest(id: Pair(name: "x", number: 1)))

        #expect(try await Set(jobs.finalLog().filter { $0.hasSuffix("-") }) == ["b-", "c-"])
    }
}
