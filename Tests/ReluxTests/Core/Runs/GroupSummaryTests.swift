import Testing

@testable import Relux

@Suite("GroupSummary", .timeLimit(.minutes(10)))
struct GroupSummaryTests {
    @Test("without a flow, the most serious end counts, in whatever order the runs end")
    func precedence() {
        let bySeverity: [(outcome: Relux.RunOutcome, ending: Ending)] = [
            (.failed(TestFailure()), .failed(TestFailure())), (.cancelled, .cancelled), (.superseded, .superseded),
            (.dropped, .dropped), (.finished, .returned),
        ]
        for first in bySeverity.indices {
            for second in bySeverity.indices {
                var summary = GroupSummary(answer: .sagas)
                summary.note(bySeverity[first].outcome)
                summary.note(bySeverity[second].outcome)

                let ending: Ending
                do throws(Relux.EffectError) {
                    try summary.output(of: Void.self)
                    ending = .returned
                } catch {
                    ending = Ending(error)
                }

                #expect(ending == bySeverity[min(first, second)].ending)
                #expect(summary.wasCutShort == [first, second].contains { (1...3).contains($0) })
            }
        }
    }
}
