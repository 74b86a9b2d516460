import ReluxTesting
import Testing

@Suite("Difference", .timeLimit(.minutes(10)))
struct DifferenceTests {
    @Test("equal values have no difference")
    func equal() {
        #expect(Difference(expected: Trip(), actual: Trip()) == nil)
    }

    @Test("leaves are shown by their own descriptions, one below the other")
    func leaves() {
        #expect(text(1, 2) == "- 1\n+ 2")
        #expect(text("a", "b") == "- \"a\"\n+ \"b\"")
        #expect(text(Duration.seconds(1), .milliseconds(1500)) == "- 1.0 seconds\n+ 1.5 seconds")
        #expect(text(Kind.walk, .train(line: "S1")) == "- .walk\n+ .train(line: \"S1\")")
    }

    @Test("only the differing parts of a struct are shown")
    func structs() {
        var actual = Trip()
        actual.goal = "Bern"

        #expect(
            text(Trip(), actual) == """
                  Trip(
                      … (1 unchanged)
                -     goal: "Basel"
                +     goal: "Bern"
                      … (3 unchanged)
                  )
                """
        )
    }

    @Test("nested parts are shown inside their parents, and optionals without a wrapper")
    func nested() {
        var actual = Trip()
        actual.stop?.minutes = 7
        actual.kind = .train(line: "S9")

        #expect(
            text(Trip(), actual) == """
                  Trip(
                      … (2 unchanged)
                      stop: Stop(
                          … (1 unchanged)
                -         minutes: 5
                +         minutes: 7
                      )
                      kind: .train(
                -         line: "S1"
                +         line: "S9"
                      )
                      … (1 unchanged)
                  )
                """
        )
    }

    @Test("removed and new values are shown as a whole, with one part per line if they are long")
    func optionals() {
        var expected = Trip()
        var actual = Trip()
        expected.stop = Stop(name: String(repeating: "Olten ", count: 13), minutes: 5)
        actual.stop = nil
        actual.notes = ["wet"]

        #expect(
            text(expected, actual) == """
                  Trip(
                      … (2 unchanged)
                -     stop: Stop(
                -         name: "\(String(repeating: "Olten ", count: 13))"
                -         minutes: 5
                -     )
                +     stop: nil
                      … (1 unchanged)
                      notes: [
                +         [0]: "wet"
                      ]
                  )
                """
        )
    }

    @Test("unlabelled payloads and tuples have no labels; other cases replace each other")
    func payloads() {
        #expect(text(Kind.pair(1, 2), .pair(1, 3)) == "  .pair(\n      … (1 unchanged)\n-     2\n+     3\n  )")
        #expect(text(Kind.pair(1, 2), .walk) == "- .pair(1, 2)\n+ .walk")
        #expect(text(Optional(1), nil) == "- 1\n+ nil")
        #expect(text(Optional(Optional<Int>.none), nil) == "- .some(nil)\n+ nil")
    }

    @Test("text of several lines is compared line by line")
    func multilineText() {
        let expected = "one\ntwo\nthree\nfour\nfive"
        let actual = "one\nTWO\nTHREE\nfour\nfive\nsix"

        #expect(
            text(expected, actual) == """
                  \"""
                      … (1 unchanged)
                -     two
                -     three
                +     TWO
                +     THREE
                      … (2 unchanged)
                +     six
                  \"""
                """
        )
    }

    @Test("long texts are shown from where they begin to differ")
    func longText() {
        let start = String(repeating: "0123456789", count: 30)

        #expect(text(start + "a", start + "b") == "- …01234567890123456789a\"\n+ …01234567890123456789b\"")
    }
}

/// Returns the text of a difference, or `none`.
func text<Value>(_ expected: Value, _ actual: Value) -> String {
    Difference(expected: expected, actual: actual)?.description ?? "none"
}

// MARK: - Values to compare

private struct Trip: Equatable {
    var start = "Zug"
    var goal = "Basel"
    var stop: Stop? = Stop(name: "Olten", minutes: 5)
    var kind = Kind.train(line: "S1")
    var notes: [String] = []
}

private struct Stop: Equatable {
    var name: String
    var minutes: Int
}

private enum Kind: Equatable {
    case walk
    case train(line: String)
    case pair(Int, Int)
}
