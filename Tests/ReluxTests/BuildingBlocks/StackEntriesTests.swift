import Relux
import Testing

@Suite("Navigation.Stack.entries", .timeLimit(.minutes(10)))
struct StackEntriesTests {
    private typealias Stack = Relux.Navigation.Stack<String>

    private func reduced(_ actions: Stack.Action..., from stack: Stack = Stack()) -> Stack {
        actions.reduce(into: stack) { $0.reduce($1) }
    }

    private func texts(_ stack: Stack) -> [String] { stack.entries.map { "\($0.id) \($0.page)" } }

    @Test("the entries are all pages from the bottom to the top, each with an id of its own")
    func order() {
        let stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c"]), .init("n")])

        #expect(texts(stack) == ["1 a", "2 b", "3 m", "4 c", "5 n"])
    }

    @Test("the same page twice is two entries, and an id is never used again")
    func neverAgain() {
        let twice = reduced(.push("a"), .push("a"))
        let again = reduced(.pop, .push("a"), from: twice)

        #expect(texts(twice) == ["1 a", "2 a"])
        #expect(texts(again) == ["1 a", "3 a"])
        #expect(twice == again)
        #expect(twice.entries != again.entries)
    }

    @Test(
        "entries that remain keep their ids; all others are new",
        arguments: [
            (Relux.Navigation.Stack<String>.Action.popTo("a"), ["1 a"]),
            (.popToRoot, []),
            (.setPath(["a", "b", "x"]), ["1 a", "2 b", "4 x"]),
            (.setPath(["b"]), ["4 b"]),
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

    @Test("the ids always match the pages, whatever happens")
    func model() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var stack = Stack()
            var seen: Set<UInt64> = []
            for _ in 0..<30 {
                let page = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                let actions: [Stack.Action] = [
                    .push(page), .pop, .popTo(page), .popToRoot, .setPath([page, "b"]), .replace(page), .present(page),
                    .dismiss, .dismissAll, .show(.init(path: [page], modals: [.init("m", path: [page])])),
                ]
                let before = stack.entries
                stack.reduce(actions.randomElement(using: &generator) ?? .pop)
                let entries = stack.entries
                #expect(entries.map(\.page) == stack.path + stack.modals.flatMap { [$0.page] + $0.path })
                #expect(Set(entries.map(\.id)).count == entries.count)
                #expect(entries.map(\.id) == entries.map(\.id).sorted())
                let new = entries.filter { entry in !before.contains { $0.id == entry.id } }
                #expect(seen.isDisjoint(with: new.map(\.id)))
                seen.formUnion(new.map(\.id))
            }
        }
    }
}
