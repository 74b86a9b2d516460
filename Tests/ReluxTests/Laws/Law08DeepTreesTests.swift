import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these used to overflow the stack: halting a run called itself for each run that it performed.
@Suite("Law 8: long chains of performs", .timeLimit(.minutes(10)))
struct Law08DeepTreesTests {
    /// How a chain comes to its end.
    enum Ending: CaseIterable, Sendable {
        case halt(Halt), released, timeout

        static let allCases = Halt.allCases.map { halt($0) } + [released, timeout]
    }

    private struct Descent: Relux.Effect {
        var depth: Int
    }

    @Test(
        "a chain of five thousand performs can be cancelled on a small stack, and its runs end from the bottom",
        arguments: Ending.allCases)
    func longChains(ending: Ending) async throws {
        // The thread sanitizer takes ten times as long, and other tests wait meanwhile.
        #if RELUX_TSAN
            let depth = 500
        #else
            let depth = 5_000
        #endif
        let thread = ThreadExecutor()
        let clock = ManualClock()
        let bottom = Gate()
        // The work, its timeout, and the chain.
        let outcomes = Trace<String?>()
        let observer = HookObserver(onEnd: { run, outcome, _ in
            outcomes.note((run.trigger as? Descent).map { "\($0.depth) \(outcome)" })
        })
        var store: Relux.Store? = Relux.Store(.init(clock: clock, executor: thread.tasks, observers: [observer]))
        try await store?.register(
            WorkSaga(policy: .latest) { work, context in
                guard work.name == "work" else { return }
                try await context.timeout(after: .seconds(1)) { try await $0.perform(Descent(depth: depth)) }
            }.module(
                ClosureSaga<Descent> { descent, context in
                    if descent.depth > 1 { return try await context.perform(Descent(depth: descent.depth - 1)) }
                    bottom.open()
                    try await untilCancelled()
                }
            )
        )
        let caller = Task(executorPreference: thread.tasks) { [dispatcher = store?.dispatcher] in
            try await dispatcher?.perform(Work())
        }
        await bottom.pass()

        switch ending {
        case .released: store = nil
        case .timeout: await clock.advance(by: .seconds(1))
        case .halt(let halt):
            await Task(executorPreference: thread.tasks) { [store] in await halt.happen(to: caller, in: store) }.value
        }
        await outcomes.entries(atLeast: depth + 2)
        _ = await caller.result

        let fromTheBottom = (1...depth).map { "\($0) cancelled" }
        // A release ends them in the order in which they started.
        let isReleased = if case .released = ending { true } else { false }
        #expect(outcomes.entries.compactMap { $0 } == (isReleased ? fromTheBottom.reversed() : fromTheBottom))
    }
}
