import Testing

@testable import Relux

@Suite("YieldSchedule")
struct YieldScheduleTests {
    /// Returns how often a yield is due in a loop whose counter grows by `step`, at the times that a closure returns.
    private func count(_ rounds: UInt64, in step: UInt64 = 1, at time: (UInt64) -> Int64) -> Int {
        let schedule = YieldSchedule()
        return (1...rounds).count { round in schedule.isDue(at: step * round) { time(round) } }
    }

    @Test("it reads the clock about once in 64 rounds, whatever else the loop does", arguments: 1...260)
    func clockReads(step: UInt64) {
        let reads = count(6_400, in: step) { round in Int64(round) * YieldSchedule.interval }

        #expect((60...140).contains(reads))
    }

    @Test("a yield is due once per interval")
    func interval() {
        let rounds: UInt64 = 100_000

        // One hundred intervals, each with one thousand rounds.
        let due = count(rounds) { round in Int64(round) * YieldSchedule.interval / 1_000 }

        #expect((80...100).contains(due))
    }

    @Test("a yield is due at the first check, and not again while the time doesn't change")
    func unchangedTime() {
        #expect(count(10_000) { _ in 7 } == 1)
    }

    // A yield would otherwise be due at each of them, or at none.
    @Test("each perform has a number of its own")
    func numbers() async {
        let store = Relux.Store()

        let numbers = await store.inside { core in
            (1...3).map { _ in
                core.perform(Work(), awaitedBy: 0, depth: 0, as: .outside, at: Relux.CallSite()).number
            }
        }

        #expect(Set(numbers).count == 3)
    }
}
