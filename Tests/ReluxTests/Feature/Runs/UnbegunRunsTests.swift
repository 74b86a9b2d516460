import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Runs that are halted before their bodies begin", .timeLimit(.minutes(10)))
struct UnbegunRunsTests: Staged {
    let scene = Scene()

    @Test("of two latest triggers in one batch, only the second begins, and a third one gets the room of the first")
    func batch() async throws {
        let saga = ClosureSaga<Job>(policy: \.policy) { [trace] job, context in
            trace.note(job.name)
            await context.dispatch(Log.Action.add(job.name))
        }
        let store = try await makeStore(observers: [observer], saga)

        let dispatched = await store.dispatch {
            Job("first", .latest)
            Job("second", .latest)
            Job("third", .concurrent(limit: 2))
        }
        _ = await dispatched.outcome()

        #expect(Set(trace.entries) == ["second", "third"])
        #expect(try await store.log().sorted() == ["second", "third"])
        #expect(observer.refusals.entries.isEmpty)
        #expect(Set(ends) == ["end 1 superseded", "end 2 finished", "end 3 finished"])
    }

    @Test(
        "a run that is superseded or cancelled before its body has begun never executes it, over 1,000 seeds",
        arguments: [true, false])
    func steps(isCancelled: Bool) async {
        await Simulation.explore(seeds: seeds(1_000)) { world in
            let (begun, halted) = (Trace<String>(), Trace<String>())
            let store = try await world.store {
                ClosureSaga<Job>(policy: \.policy) { job, context in
                    // What has been halted by now was halted before.
                    if halted.entries.contains(job.name) { begun.note(job.name) }
                }.alone
            }

            await store.dispatch(Job("first", .latest))
            if isCancelled {
                await store.cancel(ClosureSaga<Job>.self)
            } else {
                await store.dispatch(Job("second", .latest))
            }
            halted.note("first")
            try await store.idle()

            #expect(begun.entries == [])
        }
    }

    @Test("no body begins before its step is complete, that of a watcher included")
    func completeSteps() async throws {
        let watcher = ClosureWatcher { [trace] _ in trace.note("begun") }
        let store = try await Relux.Store { Pages.Module { InstancePart(id: $0, watchers: [watcher]) } }

        for _ in 0..<100 {
            await store.dispatch {
                Pages.Action.open("a")
                Pages.Action.close("a")
            }
        }
        await store.shutdown()

        #expect(trace.entries == [])
    }
}
