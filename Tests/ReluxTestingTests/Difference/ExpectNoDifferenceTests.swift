import ReluxTesting
import Testing

@Suite("expectNoDifference", .timeLimit(.minutes(10)))
struct ExpectNoDifferenceTests {
    @Test("equal values record nothing")
    func equal() {
        let issues = recordedIssues { expectNoDifference([1, 2], [1, 2]) }

        #expect(issues.isEmpty)
    }

    @Test("different values record their difference at the line of the call")
    func different() {
        let issues = recordedIssues { expectNoDifference([1, 3], [1, 2]) }
        let line = #_sourceLocation.line - 1

        #expect(
            issues.map(\.text) == [
                """
                The values differ (- expected, + actual):

                  [
                      … (1 unchanged)
                -     [1]: 2
                +     [1]: 3
                  ]
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [line])
        #expect(issues.first?.location?.fileID == #fileID)
    }

    @Test("a message comes first")
    func message() {
        let issues = recordedIssues { expectNoDifference(2, 1, "After two steps") }

        #expect(issues.map(\.text) == ["After two steps. The values differ (- expected, + actual):\n\n- 1\n+ 2"])
    }

    @Test("it returns whether the values are equal")
    func result() {
        var results: [Bool] = []

        _ = recordedIssues { results = [expectNoDifference(1, 1), expectNoDifference(1, 2)] }

        #expect(results == [true, false])
    }
}
