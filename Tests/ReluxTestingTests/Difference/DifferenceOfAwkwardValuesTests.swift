import Relux
import ReluxTesting
import Testing

@Suite("Difference of awkward values", .timeLimit(.minutes(10)))
struct DifferenceOfAwkwardValuesTests {
    @Test("instances are compared by their parts, inherited ones first")
    func classes() {
        #expect(
            text(Child(1, 2), Child(3, 2)) == "  Child(\n-     base: 1\n+     base: 3\n      … (1 unchanged)\n  )"
        )
    }

    @Test("the comparison of a cycle of instances ends")
    func cycles() {
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

    @Test("the comparison of instances that lead to each other through sets or keys ends")
    func cyclesThroughSets() {
        let (alice, bob) = (Person("Alice"), Person("Bob"))
        (alice.friends, bob.friends) = ([bob], [alice])
        (alice.debts, bob.debts) = ([bob: 1], [alice: 2])

        #expect(
            text(alice, bob) == """
                  Person(
                -     name: "Alice"
                +     name: "Bob"
                      friends: [
                +         \(friend("Alice", of: "Bob", owing: 1, and: 2))
                -         \(friend("Bob", of: "Alice", owing: 2, and: 1))
                      ]
                      debts: [
                +         [\(friend("Alice", of: "Bob", owing: 1, and: 2))]: 2
                -         [\(friend("Bob", of: "Alice", owing: 2, and: 1))]: 1
                      ]
                  )
                """
        )
    }

    private func friend(_ name: String, of other: String, owing debt: Int, and otherDebt: Int) -> String {
        "Person(name: \"\(name)\", friends: [Person(name: \"\(other)\", friends: [Person(↺)], "
            + "debts: [Person(↺): \(otherDebt)])], debts: [Person(name: \"\(other)\", friends: [Person(↺)], "
            + "debts: [Person(↺): \(otherDebt)]): \(debt)])"
    }

    @Test("the text of instances that all lead to each other is limited, and doesn't depend on the order of hashing")
    func cliques() {
        let people = (1...20).map { Person("\($0)") }
        for person in people {
            person.friends = Set(people).subtracting([person])
            person.debts = Dictionary(uniqueKeysWithValues: person.friends.map { ($0, 1) })
        }

        let first = Difference(expected: [people[0]], actual: [])
        for person in people {
            person.friends = Set(person.friends.shuffled())
            person.debts = Dictionary(uniqueKeysWithValues: person.debts.shuffled().map { ($0.key, $0.value) })
        }

        #expect(first != nil)
        #expect(first == Difference(expected: [people[0]], actual: []))
    }

    @Test("an instance without parts is described, however long that is")
    func describedInstance() {
        #expect(text(nil, Letter()) == "- nil\n+ \(Letter().description)")
    }

    @Test("parts that a value hides stay hidden")
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

    @Test("a redacted value reveals nothing, not even as a key or when all of it is new")
    func redacted() {
        let old = [Relux.Redacted("key"): [Relux.Redacted(1)]]
        let new = [Relux.Redacted("key"): [Relux.Redacted(2), Relux.Redacted(3)]]

        #expect(
            text(old, new) == """
                  [
                      [<private>]: [
                -         [0]: <private>
                +         [0]: <private>
                          (not equal, though they look the same)
                +         [1]: <private>
                      ]
                  ]
                """
        )
    }

    @Test("instances that are identified by their addresses are compared by their parts")
    func identifiedByAddress() {
        #expect(
            text([Page(1), Page(2)], [Page(1), Page(3)]) == """
                  [
                      … (1 unchanged)
                      [1]: Page(
                -         number: 2
                +         number: 3
                      )
                  ]
                """
        )
    }

    @Test("actors are compared by identity, and none of their state is read")
    func actors() {
        let one = Box(1)

        #expect(Difference(expected: one, actual: one) == nil)
        #expect(text(one, Box(1)) == "- Box\n+ Box\n  (not equal, though they look the same)")
    }

    @Test("custom descriptions are used for values without parts, and for nothing else")
    func descriptions() {
        #expect(text(Labelled(a: 1, b: 2), Labelled(a: 1, b: 3)).hasPrefix("  Labelled(\n      … (1 unchanged)\n"))
        #expect(text(Grade.good, .bad) == "- excellent\n+ poor")
    }

    @Test("values of different types replace each other")
    func existentials() {
        #expect(text(1 as Any, "1" as Any) == "- 1\n+ \"1\"")
    }

    @Test("a value that isn't equal to itself is shown with a remark")
    func notEqualToItself() {
        #expect(text(Double.nan, .nan) == "- nan\n+ nan\n  (not equal, though they look the same)")
    }

    @Test("deeply nested values are compared down to a limited depth")
    func deep() {
        var expected = Chain.end
        for _ in 0..<10_000 { expected = .link(expected) }

        #expect(Difference(expected: expected, actual: .link(expected)) == nil)
    }
}

// MARK: - Values to compare

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

private final class Letter: CustomStringConvertible {
    var description: String { String(repeating: "dear ", count: 20) + "me" }
}

private final class Node {
    let value: Int
    var next: Node?

    init(_ value: Int) { self.value = value }
}

private final class Person: Hashable {
    let name: String
    var friends: Set<Person> = []
    var debts: [Person: Int] = [:]

    init(_ name: String) { self.name = name }

    static func == (lhs: Person, rhs: Person) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
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

private final class Page: Identifiable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

private actor Box {
    let value: Int

    init(_ value: Int) { self.value = value }
}
