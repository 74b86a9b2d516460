import Testing

@testable import Relux

@Suite("Completion", .timeLimit(.minutes(10)))
struct CompletionTests {
    @Test("a thread that sees that the runs have ended sees how they have ended")
    func publication() async {
        let completions = (0..<1_000).map { _ in Completion(.closed) }
        let areSuperseded = Trace<Bool>()

        await onThreads(2) { thread in
            for completion in completions {
                if thread == 0 {
                    completion.fulfil(GroupSummary(refusal: .superseded))
                } else {
                    while !completion.hasEnded {}
                    let isSuperseded = if case .superseded = completion.result.refusal { true } else { false }
                    areSuperseded.note(isSuperseded)
                }
            }
        }

        #expect(areSuperseded.entries == completions.map { _ in true })
    }

    @Test("tasks that begin to wait at the same time all wait for the same end")
    func simultaneousWaits() async {
        let completions = (0..<1_000).map { _ in Completion(.closed) }
        let threads = [ThreadExecutor(), ThreadExecutor()]
        let started = RelaxedCounter()
        for thread in threads {
            thread.run {
                started.increment()
                started.reach(threads.count + 1)
            }
        }
        let waits = threads.flatMap { thread in
            completions.map { completion in Task(executorPreference: thread.tasks) { await completion.wait() } }
        }
        let areWaiting = threads.map { thread in
            let isWaiting = Gate()
            thread.run { isWaiting.open() }
            return isWaiting
        }

        started.increment()
        for isWaiting in areWaiting { await isWaiting.pass() }
        for completion in completions { completion.fulfil() }

        // Returns unless the end of a completion has missed one of its two tasks.
        for wait in waits { await wait.value }
        for thread in threads { thread.end() }
        #expect(completions.allSatisfy { $0.hasEnded })
    }
}
