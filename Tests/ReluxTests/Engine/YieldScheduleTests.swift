import Testing

@testable import Relux

@Suite("When a loop of performs yields")
struct YieldScheduleTests {
    /// How often it is due in a loop that counts in steps, at times that a closure gives.
    private func count(_ rounds: UInt64, in step: UInt64 = 1, at time: (UInt64) -> Int64) -> Int {
        let schedule = YieldSchedule()
        return (1...rounds).count { round in schedule.isDue(at: step * round) { time(round) } }
    }

    @Test("one in 64 asks for the time, whatever else a loop does", arguments: 1...260)
    func asking(step: UInt64) {
        let asked = count(6_400, in: step) { round in Int64(round) * YieldSchedule.interval }

        #expect((60...140).contains(asked))
    }

    @Test("it is due once in an interval")
    func interval() {
        let rounds: UInt64 = 100_000

        // A hundred intervals, each of a thousand rounds.
        let due = count(rounds) { round in Int64(round) * YieldSchedule.interval / 1_000 }

        #expect((80...100).contains(due))
    }

    @Test("it is due at the first question, and not again while the time stands still")
    func standingStill() {
        #expect(count(10_000) { _ in 7 } == 1)
    }
}
