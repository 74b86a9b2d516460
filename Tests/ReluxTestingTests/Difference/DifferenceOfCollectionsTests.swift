import Testing

@testable import ReluxTesting

@Suite("Difference of collections", .timeLimit(.minutes(10)))
struct DifferenceOfCollectionsTests {
    @Test("arrays are aligned by the elements they have in common")
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

    @Test("what has no order of its own is sorted by its texts: whole numbers by value, then all others")
    func textOrder() {
        let texts = ["-2", "9", "10", "", "10.5", "9a", "a"]

        for (index, first) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                #expect(TextOrder.precedes(first, second) == (index < other), "\(first), \(second)")
            }
        }
    }

    @Test("an element that replaces another is compared with it")
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

    @Test("identifiable elements are aligned by their ids: removed, changed, moved, inserted")
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

    @Test("an element that has moved and changed is shown as moved and as changed")
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

    @Test("values with different ids replace each other instead of being compared")
    func otherIdentity() {
        #expect(text(Item(1, "a"), Item(2, "a")) == "- Item(id: 1, title: \"a\")\n+ Item(id: 2, title: \"a\")")
    }

    @Test("dictionaries are compared by their keys, with numbers in numerical order")
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

    @Test("sets show removed and new elements in an order that doesn't depend on hashing")
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

    @Test("two large arrays with nothing in common are compared with limited effort and a limited number of lines")
    func hugeArrays() throws {
        let expected = Array(0..<20_000)

        let difference = try #require(Difference(expected: expected, actual: expected.map { -1 - $0 }))

        #expect(difference.lines.count == 201)
        #expect(difference.lines[1...2] == ["-     [0]: 0", "+     [0]: -1"])
        #expect(difference.lines.last == "  … (and more)")
    }

    @Test("one changed element among a hundred thousand is found")
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
}

// MARK: - Values to compare

private struct Stop: Equatable {
    var name: String
    var minutes: Int
}

private struct Item: Equatable, Identifiable {
    let id: Int
    var title: String

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}
