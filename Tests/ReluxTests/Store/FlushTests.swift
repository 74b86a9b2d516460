import Relux
import ReluxTesting
import Testing

@Suite("Flush", .timeLimit(.minutes(10)))
struct FlushTests {
    @Test(
        "a run that a debounce or a throttle holds back starts now, and only once",
        arguments: [
            Relux.Policy.debounce(.seconds(2)), .throttle(.seconds(2)), .debounce(.seconds(2), id: "a"),
        ])
    func starts(policy: Relux.Policy) async throws {
        let jobs = try await JobStore()
        await jobs.dispatch("a", policy)
        let last = await jobs.dispatch("b", policy)
        await jobs.clock.sleepers(atLeast: 1)
        let isHeldBack = try await !jobs.store.log().contains("b+")

        await jobs.store.flush(ClosureSaga<Job>.self)
        await last.finished()
        await jobs.clock.advance(by: .seconds(9))
        try await jobs.store.idle()

        #expect(isHeldBack)
        #expect(try await jobs.store.log().suffix(2) == ["b+", "b-"])
        #expect(await last.outcome().endings == [.returned])
    }

    @Test("with an id, only the runs with that id start")
    func ids() async throws {
        let jobs = try await JobStore()
        let one = await jobs.dispatch("one", .debounce(.seconds(2), id: 1))
        await jobs.dispatch("two", .debounce(.seconds(2), id: 2))
        await jobs.clock.sleepers(atLeast: 2)

        await jobs.store.flush(ClosureSaga<Job>.self, id: 1)
        await one.finished()

        #expect(try await jobs.store.log() == ["one+", "one-"])
        #expect(jobs.observer.trace.entries.filter { $0.hasPrefix("start") } == ["start 1"])
        await jobs.store.cancel(ClosureSaga<Job>.self)
    }

    @Test("it supersedes the active run as the end of the delay does, and opens the next window of a throttle")
    func likeTheDeadline() async throws {
        let jobs = try await JobStore(gated: ["old"])
        await jobs.dispatch("old", .debounce(.seconds(2)))
        await jobs.store.flush(ClosureSaga<Job>.self)
        await jobs.arrival(of: "old")
        await jobs.dispatch("new", .debounce(.seconds(2)))
        await jobs.store.flush(ClosureSaga<Job>.self)

        await jobs.dispatch("first", .throttle(.seconds(2)))
        await jobs.dispatch("second", .throttle(.seconds(2)))
        await jobs.store.flush(ClosureSaga<Job>.self)
        let third = await jobs.perform("third", .throttle(.seconds(2), trailing: false))
        _ = try await jobs.finalLog()

        #expect(jobs.ends.contains("end 1 superseded"))
        #expect(third == .dropped)
    }

    @Test("nothing happens if nothing is held back; runs that wait for their turn stay where they are")
    func nothing() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .serial)
        await jobs.dispatch("b", .serial)
        await jobs.arrival(of: "a")

        await jobs.store.flush(ClosureSaga<Job>.self)

        #expect(try await jobs.store.log() == ["a+"])
        #expect(!jobs.observer.trace.entries.contains("start 2"))
        #expect(jobs.observer.refusals.entries.isEmpty)
        _ = try await jobs.finalLog()
    }

    @Test("a type that is no registered saga or flow is reported, and so is an id of another type")
    func unknown() async throws {
        let jobs = try await JobStore()
        await jobs.dispatch("a", .debounce(.seconds(2), id: 1))

        await jobs.store.flush(WorkSaga.self)
        await jobs.store.flush(ClosureSaga<Job>.self, id: "1")

        let flushed = jobs.observer.refusals.entries.map { refusal in
            if case .flushedNothing(let type) = refusal.reason { "\(type)" } else { "\(refusal)" }
        }
        #expect(flushed == ["WorkSaga", "ClosureSaga<Job>"])
        #expect(jobs.observer.refusals.entries.allSatisfy { $0.description.hasPrefix("Flushing ") })
        await jobs.store.cancel(ClosureSaga<Job>.self)
    }
}
