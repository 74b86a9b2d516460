import Relux
import Testing

@Suite("Optimistic")
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

    @Test("a new value is confirmed, and nothing is under way")
    func new() {
        let list = List(["a"])

        #expect(list.confirmed == ["a"])
        #expect(list.value == ["a"])
        #expect(list.isSettled)
        #expect(list.mutations.isEmpty)
    }

    @Test("a mutation is shown at once, and part of the confirmed value once it is confirmed")
    func confirmation() {
        var list = List(["a"])

        list.apply(.append("b"), id: 1)
        #expect(list.value == ["a", "b"])
        #expect(list.confirmed == ["a"])
        #expect(list.mutations == [.append("b")])
        #expect(list.isUnderWay(id: 1) && !list.isUnderWay(id: 2) && !list.isSettled)

        list.confirmed(id: 1)
        #expect(list == List(["a", "b"]))
    }

    @Test("a rejected mutation is taken back, and the others are applied without it")
    func rejection() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.uppercase, id: 2)
        list.apply(.append("c"), id: 3)
        #expect(list.value == ["A", "B", "c"])

        list.rejected(id: 1)
        #expect(list.value == ["A", "c"])
        list.rejected(id: 2)
        list.rejected(id: 3)

        #expect(list == List(["a"]))
    }

    @Test("a mutation that is confirmed early stays in its place until all before it are settled")
    func order() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.uppercase, id: 2)
        list.apply(.append("c"), id: 3)

        list.confirmed(id: 2)
        #expect(list.confirmed == ["a"])
        #expect(list.isUnderWay(id: 2))
        list.confirmed(id: 1)

        #expect(list.confirmed == ["A", "B"])
        #expect(list.value == ["A", "B", "c"])
        #expect(list.mutations == [.append("c")])
    }

    @Test("a rejection settles those that only waited for the rejected mutation")
    func rejectionSettles() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.uppercase, id: 2)
        list.apply(.append("c"), id: 3)
        list.confirmed(id: 2)

        list.rejected(id: 1)

        #expect(list.confirmed == ["A"])
        #expect(list.value == ["A", "c"])
        #expect(list.mutations == [.append("c")])
    }

    @Test("a refreshed value keeps what is under way")
    func refresh() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.uppercase, id: 2)
        list.confirmed(id: 2)

        list.refreshed(["x", "y"])
        #expect(list.confirmed == ["x", "y"])
        #expect(list.value == ["X", "Y", "B"])
        list.confirmed(id: 1)

        #expect(list == List(["X", "Y", "B"]))
    }

    @Test("an unknown id changes nothing")
    func unknown() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        let before = list

        list.confirmed(id: 2)
        list.rejected(id: 2)
        list.confirmed(id: "1")
        list.rejected(id: UInt8(1))
        #expect(list == before)

        list.confirmed(id: 1)
        list.confirmed(id: 1)
        list.rejected(id: 1)
        #expect(list == List(["a", "b"]))
    }

    @Test("a mutation that has been confirmed can't be rejected, even if it still waits for others")
    func lateRejection() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.append("c"), id: 2)
        list.confirmed(id: 2)

        list.rejected(id: 2)
        list.confirmed(id: 1)

        #expect(list == List(["a", "b", "c"]))
    }

    @Test("a repeated id replaces the mutation in its place, and the new one has yet to be confirmed")
    func repetition() {
        var list = List(["a"])
        list.apply(.append("b"), id: 1)
        list.apply(.append("c"), id: 2)
        list.apply(.uppercase, id: 3)
        list.confirmed(id: 2)

        list.apply(.append("d"), id: 2)
        #expect(list.value == ["A", "B", "D"])
        list.confirmed(id: 1)

        #expect(list.confirmed == ["a", "b"])
        #expect(list.mutations == [.append("d"), .uppercase])
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

        // With the same effect at the moment, but not once something is refreshed.
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

    @Test("a state with an optimistic value is tested like any other")
    func inAStore() async throws {
        let store = try await Relux.Store { Notes.Module() }

        await store.dispatch(Notes.Action.typed("b", id: 1))
        let shown = try await store.state(of: Notes.self).list.value
        await store.dispatch(Notes.Action.refused(id: 1))

        #expect(shown == ["a", "b"])
        #expect(try await store.state(of: Notes.self) == Notes())
    }

    private struct Notes: Relux.State {
        var list = List(["a"])

        enum Action: Relux.Action { case typed(String, id: Int), refused(id: Int) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .typed(let text, let id): list.apply(.append(text), id: id)
            case .refused(let id): list.rejected(id: id)
            }
        }

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Notes()] }
        }
    }
}
