import Relux
import ReluxTesting
import Testing

@Suite("Navigation.Stack.entries", .timeLimit(.minutes(10)))
struct StackEntriesTests {
    private typealias Stack = Relux.Navigation.Stack<String>

    private func reduced(_ actions: Stack.Action..., from stack: Stack = Stack()) -> Stack {
        actions.reduce(into: stack) { $0.reduce($1) }
    }

    private func texts(_ stack: Stack) -> [String] { stack.entries.map { "\($0.id) \($0.page)" } }

    @Test(
        "entries that remain keep their ids; all others are new",
        arguments: [
            (Relux.Navigation.Stack<String>.Action.popTo("a"), ["1 a"]),
            (.popToRoot, []),
            (.setPath(["a", "b", "x"]), ["1 a", "2 b", "4 x"]),
            (.setPath(["b"]), ["2 b"]),
            (.setPath(["a", "c"]), ["1 a", "3 c"]),
            (.setPath(["x", "c"]), ["4 x", "3 c"]),
            (.setPath(["c", "a", "b"]), ["4 c", "1 a", "2 b"]),
            (.setPath(["a", "x", "b", "y", "c"]), ["1 a", "4 x", "2 b", "5 y", "3 c"]),
            (.setPath(["a", "a", "b", "c", "c"]), ["1 a", "4 a", "2 b", "5 c", "3 c"]),
            (.push("c", ifNotOnTop: true), ["1 a", "2 b", "3 c"]),
            (.push("b", ifNotOnTop: true), ["1 a", "2 b", "3 c", "4 b"]),
            (.push("c", ifNotOnTop: false), ["1 a", "2 b", "3 c", "4 c"]),
            (.setPath(["a"]), ["1 a"]),
            (.replace("c"), ["1 a", "2 b", "4 c"]),
            (.present("m"), ["1 a", "2 b", "3 c", "4 m"]),
            (.dismiss, ["1 a", "2 b", "3 c"]),
            (.pop, ["1 a", "2 b"]),
            (.show(.init(path: ["a", "y"])), ["1 a", "4 y"]),
            (.show(.init(path: ["a", "b", "c"], modals: [.init("m")])), ["1 a", "2 b", "3 c", "4 m"]),
        ])
    func kept(action: Relux.Navigation.Stack<String>.Action, expected: [String]) {
        #expect(texts(reduced(action, from: Stack(path: ["a", "b", "c"]))) == expected)
    }

    @Test("modal layers keep their entries as long as everything below is the same")
    func modals() {
        let stack = Stack(path: ["a"], modals: [.init("m", path: ["b"]), .init("n")])

        let same = reduced(.show(.init(path: ["a"], modals: [.init("m", path: ["b", "c"]), .init("n")])), from: stack)
        let other = reduced(.show(.init(path: ["x"], modals: stack.modals)), from: stack)
        let path = reduced(.dismiss, .setPath(["b", "d"]), from: stack)
        let all = reduced(.dismissAll, .push("z"), from: stack)

        #expect(texts(reduced(.show(stack), from: stack)) == texts(stack))
        #expect(texts(same) == ["1 a", "2 m", "3 b", "5 c", "6 n"])
        #expect(texts(other) == ["5 x", "6 m", "7 b", "8 n"])
        #expect(texts(path) == ["1 a", "2 m", "3 b", "5 d"])
        #expect(texts(all) == ["1 a", "5 z"])
    }

    @Test("a dismissed entry goes with everything above it in its layer, and modal pages above stay")
    func dismissal() {
        let stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c", "d"]), .init("n", path: ["e"])])
        func dismissed(_ id: UInt64) -> Stack {
            var stack = stack
            stack.dismissElement(id)
            return stack
        }

        #expect(texts(dismissed(1)) == ["3 m", "4 c", "5 d", "6 n", "7 e"])
        #expect(dismissed(1).layers == Stack(modals: stack.modals).layers)
        #expect(dismissed(2).layers == Stack(path: ["a"], modals: stack.modals).layers)
        #expect(dismissed(3).layers == Stack(path: ["a", "b"], modals: [.init("n", path: ["e"])]).layers)
        #expect(dismissed(4).layers == Stack(path: ["a", "b"], modals: [.init("m"), .init("n", path: ["e"])]).layers)
        #expect(dismissed(6).layers == Stack(path: ["a", "b"], modals: [.init("m", path: ["c", "d"])]).layers)
        #expect(texts(dismissed(7)) == ["1 a", "2 b", "3 m", "4 c", "5 d", "6 n"])
        #expect(texts(dismissed(8)) == texts(stack))
    }

    @Test("the entries of the root's path, and of the modal pages, can be read by themselves")
    func parts() {
        let stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c"]), .init("n")])

        #expect(stack.pathEntries.map(\.id) == [1, 2])
        #expect(stack.modalEntries.map(\.id) == [3, 5])
        #expect(Stack(modals: [.init("m")]).pathEntries.isEmpty)
        #expect(Stack(path: ["a"]).modalEntries.isEmpty)
    }

    @Test("any ids are accepted once, in any order", arguments: 0..<8 as Range<UInt64>)
    func chosenIDsModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stack = Stack()
        var used: Set<UInt64> = []
        for _ in 0..<300 {
            let id = UInt64.random(in: 0..<40, using: &random)
            let isChosen = Int.random(in: 0..<8, using: &random) > 0
            let expected = isChosen ? id : (used.max() ?? 0) + 1
            let before = stack.entries

            stack.reduce(isChosen ? .push("x", id: id) : .push("x"))

            #expect(stack.entries.map(\.id) == before.map(\.id) + (used.insert(expected).inserted ? [expected] : []))
            if stack.entries.count > 5 { stack.reduce(.popToRoot) }
        }
    }

    @Test("an action that does nothing keeps the storage, so that comparing the entries costs nothing")
    func sharedStorage() {
        let page = ComparedPage()
        var stack = Relux.Navigation.Stack<ComparedPage>(path: [page, page], modals: [.init(page)])
        let before = stack.entries
        for action: Relux.Navigation.Stack<ComparedPage>.Action in [
            .pop, .popToRoot, .popTo(page), .popCount(0), .popCount(3), .popFrom(99), .popFrom(3), .dismissEntry(99),
            .dismissEntry(1), .setPath([]), .present(page), .push(page, id: 1), .show(stack),
        ] { stack.reduce(action) }
        let comparisons = page.comparisons

        #expect(stack.entries == before)
        #expect(stack.entries == stack.entries)

        #expect(page.comparisons == comparisons)
    }
}
