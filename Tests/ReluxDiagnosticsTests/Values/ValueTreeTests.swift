import Foundation
import Relux
import ReluxTesting
import Testing

@testable import ReluxDiagnostics

@Suite("Values as text, and what has changed", .timeLimit(.minutes(10)))
struct ValueTreeTests {
    private struct Thing: Identifiable, Equatable {
        let id: Int
        var name = ""
        var tags: [String] = []
    }

    private struct Whole: Equatable {
        var things: [Thing] = []
        var choice: Choice = .none
        var table: [String: Int] = [:]
        var more: Int?
    }

    private enum Choice: Equatable {
        case none, one(Int), pair(left: Int, right: Int)
    }

    /// The changes as text. They are applied to the old value, which must give the new one.
    private func changes(_ old: Whole, _ new: Whole, _ location: SourceLocation = #_sourceLocation) -> [String] {
        let changes = ValueChange.between(old, new)
        #expect(ValueTree(of: old).applying(changes) == ValueTree(of: new), sourceLocation: location)
        return changes.map { "\(pathText($0.path)) = \($0.new?.text ?? "nothing")" }
    }

    @Test("a value is written as code would write it")
    func text() {
        let whole = Whole(
            things: [Thing(id: 3, name: "a", tags: ["x"])], choice: .pair(left: 1, right: 2), table: ["k": 1], more: 4)

        #expect(
            ValueTree(of: whole).text
                == "ValueTreeTests.Whole(things: [ValueTreeTests.Thing(id: 3, name: \"a\", tags: [\"x\"])], "
                + "choice: .pair(left: 1, right: 2), table: [\"k\": 1], more: 4)")
        #expect(ValueTree(of: Choice.one(7)).text == ".one(7)")
        #expect(ValueTree(of: Set([2, 1])).text == "{1, 2}")
    }

    // MARK: Objects

    /// Everything that can lead from one object to another.
    private final class Node: @unchecked Sendable, Hashable {
        struct Reference: Identifiable {
            let node: Node
            var id: Node { node }
        }

        let name: String
        var next: Node?
        var previous: Node?
        var all: Set<Node> = []
        var numbers: [Node: Int] = [:]
        var references: [Reference] = []
        var erased: AnyHashable = 0

        init(_ name: String) { self.name = name }

        func connect(with other: Node) {
            (next, previous, all, numbers) = (other, other, [self, other], [self: 1])
            (references, erased) = ([Reference(node: other)], AnyHashable(self))
        }

        static func == (lhs: Node, rhs: Node) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    @Test("an object shows its parts, and in those only the types of further objects, whatever leads to them")
    func objects() {
        func nodes(_ name: String) -> (Node, Node) {
            let (first, second) = (Node(name), Node("second"))
            first.connect(with: second)
            second.connect(with: first)
            return (first, second)
        }
        let (old, new) = (nodes("old"), nodes("new"))
        let text = ValueTree(of: old.0).text

        #expect(text.hasPrefix(#"ValueTreeTests.Node(name: "old", next: ValueTreeTests.Node(), "#), "\(text)")
        #expect(text.count < 1_000)
        for value in [Set([old.0]), [old.0: 1], [Node.Reference(node: old.0)], AnyHashable(old.0)] as [Any] {
            #expect(ValueTree(of: value).text.contains("\"old\""))
        }
        let changes = ValueChange.between(old.0, new.0)
        #expect(changes.first.map { pathText($0.path) } == "name")
        #expect(ValueTree(of: old.0).applying(changes) == ValueTree(of: new.0))
    }

    // MARK: Entities

    /// An element that counts how often elements are asked for their ids.
    private struct Counted: Identifiable, Equatable {
        static let questions = Lock(0)

        let number: Int
        var name = ""

        var id: Int {
            Self.questions.withLock { $0 += 1 }
            return number
        }
    }

    @Test("of many entities, only those are looked into that have changed")
    func largeEntities() {
        let old = Relux.Entities((0..<1_000).map { Counted(number: $0) }, keeping: .first)
        var new = old
        new[id: 500]?.name = "changed"
        new.remove(id: 7)
        new.append(Counted(number: 2_000))
        Counted.questions.withLock { $0 = 0 }

        let changes = ValueChange.between(old, new)

        #expect(changes.map { pathText($0.path) } == ["[7]", "[500].name", "[2000]"])
        #expect(changes.last?.after == "[999]")
        #expect(Counted.questions.withLock { $0 } < 300)
    }

    @Test("whatever changes in entities, its changes lead from one value to the other, over 200 seeds")
    func entities() {
        struct Key: Hashable, Sendable { let raw: Int }
        struct Keyed: Identifiable, Equatable {
            let id: Key
            var name = ""
        }
        for seed in UInt64(0)..<200 {
            var generator = SeededGenerator(seed: seed)
            var old = Relux.Entities<Keyed>()
            for _ in 0..<30 {
                var new = old
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let id = Key(raw: .random(in: 0..<20, using: &generator))
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: new.insert(Keyed(id: id), at: .random(in: 0...new.count, using: &generator))
                    case 1: new.remove(id: id)
                    case 2: new[id: id]?.name += "x"
                    default: new.move(id: id, to: .random(in: 0...max(new.count - 1, 0), using: &generator))
                    }
                }
                #expect(ValueTree(of: old).applying(ValueChange.between(old, new)) == ValueTree(of: new))
                old = new
            }
        }
    }

    @Test("only the parts that differ are changes")
    func parts() {
        let old = Whole(things: [Thing(id: 1), Thing(id: 2, name: "b")], table: ["a": 1, "b": 2])
        var new = old
        new.things[1].name = "c"
        new.table["b"] = 3
        new.choice = .one(1)

        #expect(changes(old, new) == ["things[2].name = \"c\"", "choice = .one(1)", "table[\"b\"] = 3"])
        #expect(changes(old, old).isEmpty)
    }

    @Test("elements that are inserted, appended, removed, or moved are found by their ids")
    func elements() {
        let old = Whole(things: [Thing(id: 1), Thing(id: 2), Thing(id: 3)])

        #expect(
            changes(old, Whole(things: [Thing(id: 9), Thing(id: 1), Thing(id: 3), Thing(id: 4)])) == [
                "things[2] = nothing", "things[9] = ValueTreeTests.Thing(id: 9, name: \"\", tags: [])",
                "things[4] = ValueTreeTests.Thing(id: 4, name: \"\", tags: [])",
            ])
        #expect(changes(old, Whole(things: [Thing(id: 2), Thing(id: 1), Thing(id: 3)])).count == 1)
        #expect(!changes(old, Whole(things: [Thing(id: 1), Thing(id: 1)])).isEmpty)
    }

    @Test("ids and keys that have one text are told apart, or not used", arguments: 0..<3)
    func equalTexts(place: Int) {
        struct Event: Identifiable, Equatable {
            let id: Date
            var name = ""
        }
        let dates = [0.2, 0.7, 5].map { Date(timeIntervalSinceReferenceDate: $0) }
        let events = dates.map { Event(id: $0) }
        var renamed = events
        renamed[place].name = "new"
        var removed = events
        removed.remove(at: place)
        let names = Dictionary(uniqueKeysWithValues: dates.map { ($0, "") })

        for new in [renamed, removed, []] {
            let changes = ValueChange.between(events, new)
            #expect(ValueTree(of: events).applying(changes) == ValueTree(of: new))
            if new == renamed { #expect(changes.map { pathText($0.path) } == ["[\(place)].name"]) }
        }
        for value in ["new", nil] {
            var new = names
            new[dates[place]] = value
            let changes = ValueChange.between(names, new)
            #expect(ValueTree(of: names).applying(changes) == ValueTree(of: new))
            #expect(ValueTree(of: new).text.contains("new") == (value != nil))
        }
    }

    @Test("any change of any value, applied to the old one, gives the new one")
    func laws() {
        var generator = Numbers(state: 1)
        func whole() -> Whole {
            Whole(
                things: (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    Thing(
                        id: .random(in: 1...5, using: &generator),
                        tags: (0..<Int.random(in: 0...2, using: &generator)).map { "\($0)" })
                },
                choice: [.none, .one(1), .one(2), .pair(left: 1, right: 2)].randomElement(using: &generator) ?? .none,
                more: [nil, 1, 2].randomElement(using: &generator) ?? nil)
        }

        for _ in 0..<300 { _ = changes(whole(), whole()) }
    }

    @Test("the names of cases and properties come from the type")
    func partNames() {
        #expect(ReluxDiagnostics.partNames(of: Choice.self).sorted() == ["none", "one", "pair"])
        #expect(ReluxDiagnostics.partNames(of: Whole.self) == ["things", "choice", "table", "more"])
        #expect(ReluxDiagnostics.partNames(of: Int.self).count <= 1)
        #expect(ReluxDiagnostics.partNames(of: ((Int) -> Void).self).isEmpty)
        #expect(caseName(of: Choice.one(1))?.text == "one")
        #expect(caseName(of: 5) == nil)
        let action: any Relux.Action = Shop.Effect.load
        #expect(caseName(of: action)?.text == "load")
    }
}

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
