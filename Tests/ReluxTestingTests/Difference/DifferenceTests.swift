import ReluxTesting
import Testing

@Suite("Difference")
struct DifferenceTests {
    @Test("Equal values have none")
    func equal() {
        #expect(Difference(expected: Trip(), actual: Trip()) == nil)
    }

    @Test("Leaves are shown by their own descriptions, one under the other")
    func leaves() {
        #expect(text(1, 2) == "- 1\n+ 2")
        #expect(text("a", "b") == "- \"a\"\n+ \"b\"")
        #expect(text(Duration.seconds(1), .milliseconds(1500)) == "- 1.0 seconds\n+ 1.5 seconds")
        #expect(text(Kind.walk, .train(line: "S1")) == "- .walk\n+ .train(line: \"S1\")")
    }

    @Test("Of a struct, only the parts that differ are shown")
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

    @Test("Nested parts are shown within those that hold them, optionals without a wrapper")
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

    @Test("What is gone or new is shown as a whole, a part a line where it is long")
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

    @Test("Unlabelled payloads and tuples have no labels; other cases replace each other")
    func payloads() {
        #expect(text(Kind.pair(1, 2), .pair(1, 3)) == "  .pair(\n      … (1 unchanged)\n-     2\n+     3\n  )")
        #expect(text(Kind.pair(1, 2), .walk) == "- .pair(1, 2)\n+ .walk")
        #expect(text(Optional(1), nil) == "- 1\n+ nil")
        #expect(text(Optional(Optional<Int>.none), nil) == "- .some(nil)\n+ nil")
    }

    @Test("Several lines of text are compared by line")
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

    @Test("Of long texts, the place is shown where they begin to differ")
    func longText() {
        let start = String(repeating: "0123456789", count: 30)

        #expect(text(start + "a", start + "b") == "- …01234567890123456789a\"\n+ …01234567890123456789b\"")
    }
}

// MARK: - Collections

extension DifferenceTests {
    @Test("Arrays are aligned by what they have in common")
    func arrays() {
        #expect(
            text([1, 2, 3, 4, 5], [1, 3, 4, 9, 5, 6]) == """
                  [
                      … (1 unchanged)
                -     [1]: 2
                      … (2 unchanged)
                +     [3]: 9
                      … (1 unchanged)
                +     [5]: 6
                  ]
                """
        )
    }

    @Test("An element in another's place is compared with it")
    func replacedElements() {
        let expected = [Stop(name: "A", minutes: 1), Stop(name: "B", minutes: 2)]
        let actual = [Stop(name: "A", minutes: 1), Stop(name: "B", minutes: 3)]

        #expect(
            text(expected, actual) == """
                  [
                      … (1 unchanged)
                      [1]: Stop(
                          … (1 unchanged)
                -         minutes: 2
                +         minutes: 3
                      )
                  ]
                """
        )
    }

    @Test("Identifiable elements are aligned by their ids: removed, changed, moved, inserted")
    func identifiables() {
        let expected = [Item(1, "a"), Item(2, "b"), Item(3, "c"), Item(4, "d"), Item(5, "e")]
        let actual = [Item(5, "e"), Item(1, "a"), Item(3, "C"), Item(4, "d"), Item(6, "f")]

        #expect(
            text(expected, actual) == """
                  [
                -     [4]: Item(id: 5, title: "e") (moved to [0])
                +     [0]: Item(id: 5, title: "e") (moved from [4])
                      … (1 unchanged)
                -     [1]: Item(id: 2, title: "b")
                      [2]: Item(
                          id: 3
                -         title: "c"
                +         title: "C"
                      )
                      … (1 unchanged)
                +     [4]: Item(id: 6, title: "f")
                  ]
                """
        )
    }

    @Test("An element that has moved and changed is shown as both")
    func movedAndChanged() {
        let long = String(repeating: "long ", count: 12)
        let expected = [Item(1, "a"), Item(2, "b"), Item(3, long)]
        let actual = [Item(3, "c"), Item(1, "a"), Item(2, "b")]

        #expect(
            text(expected, actual) == """
                  [
                -     [2]: Item(id: 3, …) (moved to [0])
                +     [0]: Item(id: 3, title: "c") (moved from [2])
                      [2 → 0]: Item(
                          id: 3
                -         title: "\(long)"
                +         title: "c"
                      )
                      … (2 unchanged)
                  ]
                """
        )
    }

    @Test("Values with different ids replace each other instead of being compared")
    func otherIdentity() {
        #expect(text(Item(1, "a"), Item(2, "a")) == "- Item(id: 1, title: \"a\")\n+ Item(id: 2, title: \"a\")")
    }

    @Test("Dictionaries are compared by their keys, numbers in their order")
    func dictionaries() {
        #expect(
            text([1: "a", 2: "b", 10: "c"], [2: "b", 10: "C", 11: "d"]) == """
                  [
                -     [1]: "a"
                      … (1 unchanged)
                -     [10]: "c"
                +     [10]: "C"
                +     [11]: "d"
                  ]
                """
        )
        #expect(text(["a": 1], [:]) == "  [\n-     [\"a\"]: 1\n  ]")
    }

    @Test("Sets show what is gone and what is new, in one order whatever the hashing")
    func sets() {
        #expect(
            text(Set([3, 1, 20, 100]), Set([3, 2, 30])) == """
                  [
                      … (1 unchanged)
                -     1
                +     2
                -     20
                +     30
                -     100
                  ]
                """
        )
    }
}

// MARK: - Awkward values

extension DifferenceTests {
    @Test("Instances are compared by their parts, inherited ones first")
    func classes() {
        #expect(
            text(Child(1, 2), Child(3, 2)) == "  Child(\n-     base: 1\n+     base: 3\n      … (1 unchanged)\n  )"
        )
    }

    @Test("A circle of instances ends")
    func circles() {
        let expected = Node(1)
        expected.next = expected
        let actual = Node(2)
        actual.next = actual

        #expect(
            text(expected, actual) == """
                  Node(
                -     value: 1
                +     value: 2
                -     next: Node(value: 1, next: Node(↺))
                +     next: Node(value: 2, next: Node(↺))
                  )
                """
        )
        #expect(Difference(expected: expected, actual: expected) == nil)
    }

    @Test("What hides its parts stays hidden")
    func hidden() {
        #expect(
            text(Login(user: "u", password: Secret("x")), Login(user: "u", password: Secret("y"))) == """
                  Login(
                      … (1 unchanged)
                -     password: <private>
                +     password: <private>
                      (not equal, though they look the same)
                  )
                """
        )
    }

    @Test("A description of its own is used for what has no parts, and for nothing else")
    func descriptions() {
        #expect(text(Labelled(a: 1, b: 2), Labelled(a: 1, b: 3)).hasPrefix("  Labelled(\n      … (1 unchanged)\n"))
        #expect(text(Grade.good, .bad) == "- excellent\n+ poor")
    }

    @Test("Values of different types replace each other")
    func existentials() {
        #expect(text(1 as Any, "1" as Any) == "- 1\n+ \"1\"")
    }

    @Test("What isn't equal to itself is shown with a remark")
    func notEqualToItself() {
        #expect(text(Double.nan, .nan) == "- nan\n+ nan\n  (not equal, though they look the same)")
    }

    @Test("Two large arrays that have nothing in common are compared with limited effort, and in limited lines")
    func hugeArrays() throws {
        let expected = Array(0..<20_000)

        let difference = try #require(Difference(expected: expected, actual: expected.map { -1 - $0 }))

        #expect(difference.lines.count == 201)
        #expect(difference.lines[1...2] == ["-     [0]: 0", "+     [0]: -1"])
        #expect(difference.lines.last == "  … (and more)")
    }

    @Test("One element among a hundred thousand is found")
    func largeArray() {
        let expected = (0..<100_000).map { Item($0, "title") }
        var actual = expected
        actual[70_000].title = "changed"

        #expect(
            text(expected, actual) == """
                  [
                      … (70000 unchanged)
                      [70000]: Item(
                          id: 70000
                -         title: "title"
                +         title: "changed"
                      )
                      … (29999 unchanged)
                  ]
                """
        )
    }

    @Test("What is nested without end is compared to a depth")
    func deep() {
        var expected = Chain.end
        for _ in 0..<10_000 { expected = .link(expected) }

        #expect(Difference(expected: expected, actual: .link(expected)) == nil)
    }
}

private func text<Value>(_ expected: Value, _ actual: Value) -> String {
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

private struct Item: Equatable, Identifiable {
    let id: Int
    var title: String

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}

private class Parent {
    let base: Int

    init(_ base: Int) { self.base = base }
}

private final class Child: Parent {
    let own: Int

    init(_ base: Int, _ own: Int) {
        self.own = own
        super.init(base)
    }
}

private final class Node {
    let value: Int
    var next: Node?

    init(_ value: Int) { self.value = value }
}

private struct Secret: Equatable, CustomStringConvertible, CustomReflectable {
    let value: String
    let description = "<private>"

    init(_ value: String) { self.value = value }

    var customMirror: Mirror { Mirror(self, children: []) }
}

private struct Login: Equatable {
    var user: String
    var password: Secret
}

private struct Labelled: Equatable, CustomDebugStringConvertible {
    var a: Int
    var b: Int

    var debugDescription: String { "labelled" }
}

private enum Grade: CustomStringConvertible {
    case good, bad

    var description: String { self == .good ? "excellent" : "poor" }
}

private indirect enum Chain {
    case end
    case link(Chain)
}
