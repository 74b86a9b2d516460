import ReluxTesting
import Testing

@testable import Relux

@Suite("Signal", .timeLimit(.minutes(10)))
struct SignalTests {
    @Test("the event resumes every waiter, however it waits")
    func resumesEveryWaiter() async {
        for count in 1...10 {
            let signal = Signal()

            let happened = await withTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        if number.isMultiple(of: 2) { return await signal.waitUnlessCancelled() }
                        await signal.wait()
                        return true
                    }
                }
                group.addTask {
                    signal.fire()
                    signal.fire()
                    return true
                }
                return await group.reduce(true) { $0 && $1 }
            }

            #expect(happened)
        }
    }

    @Test("in a task that is already cancelled, only an event that has happened counts")
    func cancelledFromTheStart() async {
        let quiet = Signal()
        let fired = Signal()
        fired.fire()

        let happened = await withTaskGroup(of: [Bool].self) { group in
            group.cancelAll()
            group.addTask { [await quiet.waitUnlessCancelled(), await fired.waitUnlessCancelled()] }
            return await group.next()
        }

        #expect(happened == [false, true])
        #expect(!quiet.hasFired)
    }

    @Test("a cancelled task stops waiting and takes no other waiter with it, whichever was first")
    func cancellationBesideOthers() async {
        for isFirst in [true, false] {
            let signal = Signal()
            let isOver = Trace<Bool>()
            let deaf = { @Sendable in
                await signal.wait()
                isOver.note(signal.hasFired)
            }
            let executor = SeededExecutor(seed: 0)
            if isFirst { Task(executorPreference: executor) { await deaf() } }
            await executor.rest()
            let cancelled = Task(executorPreference: executor) { await signal.waitUnlessCancelled() }
            await executor.rest()
            if !isFirst { Task(executorPreference: executor) { await deaf() } }
            await executor.rest()

            cancelled.cancel()
            await executor.rest()
            #expect(await !cancelled.value)
            #expect(isOver.entries == [])
            signal.fire()
            await executor.rest()

            #expect(isOver.entries == [true])
        }
    }

    @Test("an event and a concurrent cancellation resume each waiting task once")
    func eventAgainstCancellation() async {
        for _ in 0..<300 {
            let signal = Signal()
            let waits = (0..<3).map { _ in Task { await signal.waitUnlessCancelled() } }

            async let firing: Void = signal.fire()
            waits[0].cancel()
            waits[2].cancel()
            await firing
            for wait in waits { _ = await wait.value }

            #expect(await waits[1].value)
        }
    }
}
