import Relux
import Testing

@Suite("Optimistic", .timeLimit(.minutes(10)))
struct OptimisticTests {
    enum Edit: Relux.Mutation, Hashable {
        case append(String), uppercase

        func apply(to value: inout [String]) {
            switch self {
            case .append(let text): value.append(text)
            case .uppercase: value = value.map { $0.uppercased() }
            }
        }
    }

    typealias List = Relux.Optimistic<[String], Edit>

    @Test("a mutation that is confirmed as the server's value is replaced by it, with what was confirmed before")
    func confirmationAsValue() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.append("c"), id: 2)
        list.apply(.append("d"), id: 3)
        list.apply(.uppercase, id: 4)
        list.confirmed(id: 2)

        list.confirmed(id: 3, as: ["x"])
        #expect(list.confirmed == ["x"])
        #expect(list.mutations == [.append("b"), .uppercase])
        #expect(list.value == ["X", "B"])

        list.confirmed(id: 3, as: ["again"])
        list.confirmed(id: 9, as: ["unknown"])
        #expect(list.confirmed == ["x"])
        list.confirmed(id: 4)
        list.confirmed(id: 4, as: ["late"])
        #expect(list.confirmed == ["x"])
    }

    @Test("a value that was asked for before a confirmation doesn't take it back")
    func marks() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        let mark = list.mark

        let isTaken = list.refreshed(["c"], asOf: mark)
        #expect(isTaken && list.value == ["c", "b"])
        list.confirmed(id: 1)
        list.confirmed(id: 1)
        let isOldTaken = list.refreshed(["old"], asOf: mark)
        #expect(!isOldTaken && list.value == ["c", "b"])
        let isNewTaken = list.refreshed(["new"], asOf: list.mark)
        #expect(isNewTaken && list.value == ["new"])
    }

    @Test("a rejection leaves a mark as it is, a confirmation as a value doesn't")
    func lastingMarks() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        let mark = list.mark
        list.rejected(id: 1)
        let isTaken = list.refreshed(["c"], asOf: mark)
        #expect(isTaken && list.value == ["c"])

        list.apply(.append("d"), id: 2)
        list.confirmed(id: 2, as: ["e"])
        list.refreshed(["old"], asOf: mark)

        #expect(list.mark != mark)
        #expect(list == List(["e"]))
    }

    @Test("an id of another type is another id, and an answer to it changes nothing")
    func idsOfOtherTypes() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        let before = list

        list.confirmed(id: "1")
        list.rejected(id: UInt8(1))

        #expect(list == before)
    }

    @Test("values are equal if what is confirmed and what is under way are")
    func equality() {
        var (list, other) = (List(["a"]), List(["a"]))
        list.apply(.append("b"), id: 1)
        #expect(list != other)
        other.apply(.append("b"), id: 2)
        #expect(list != other)
        other = List(["a"])
        other.apply(.append("b"), id: 1)
        #expect(list == other)
        #expect(list.hashValue == other.hashValue)

        list.apply(.uppercase, id: 2)
        other.apply(.uppercase, id: 2)
        other.confirmed(id: 2)
        #expect(list != other)

        // With the same value at the moment, but not once something is refreshed.
        (list, other) = (List(["a"]), List(["A"]))
        list.apply(.uppercase, id: 1)
        other.apply(.uppercase, id: 1)
        #expect(list.value == other.value && list != other)
        (list, other) = (List([]), List([]))
        list.apply(.uppercase, id: 1)
        other.apply(.append("b"), id: 1)
        other.refreshed([])
        #expect(list != other)
    }

    @Test("mutations that can't be compared are compared by what they make of the value")
    func incomparable() {
        struct Change: Relux.Mutation {
            let body: @Sendable (inout Int) -> Void
            func apply(to value: inout Int) { body(&value) }
        }
        var (one, other) = (Relux.Optimistic<Int, Change>(1), Relux.Optimistic<Int, Change>(1))

        one.apply(Change { $0 += 2 }, id: 1)
        other.apply(Change { $0 *= 3 }, id: 1)
        #expect(one == other)
        one.apply(Change { $0 += 1 }, id: 2)
        other.apply(Change { $0 += 2 }, id: 2)

        #expect(one != other)
    }

    @Test("applying and confirming apply each mutation once, however many are under way")
    func cost() {
        struct Counted: Relux.Mutation {
            let count: Trace<Int>
            func apply(to value: inout Int) {
                count.note(1)
                value += 1
            }
        }
        let count = Trace<Int>()
        var number = Relux.Optimistic<Int, Counted>(0)

        for id in 0..<100 { number.apply(Counted(count: count), id: id) }
        #expect(count.entries.count == 100)
        for id in (1..<100).reversed() { number.confirmed(id: id) }
        #expect(count.entries.count == 100)
        number.confirmed(id: 0)

        #expect(count.entries.count == 200)
        #expect(number.confirmed == 100 && number.value == 100)
    }
}
