import Foundation
import Relux
import ReluxTesting
import Testing

@Suite("Navigation.Stack")
struct NavigationStackTests {
    typealias Stack = Relux.Navigation.Stack<String>

    @Test("an empty stack shows the root page")
    func empty() {
        let stack = Stack()

        #expect(stack.isEmpty)
        #expect(stack.top == nil)
        #expect(!stack.canPop)
        #expect(!stack.canDismiss)
    }

    @Test("pages are pushed and popped at the top")
    func pushAndPop() {
        var stack = Stack()

        reduce(&stack, .push("a"), .push("b"))
        #expect(stack.top == "b")
        reduce(&stack, .pop)

        #expect(stack == Stack(path: ["a"]))
        #expect(stack.top == "a")
    }

    @Test(
        "an action that isn't possible does nothing",
        arguments: [
            (Stack(), .pop), (Stack(), .popToRoot), (Stack(), .popTo("a")), (Stack(), .replace("a")),
            (Stack(), .dismiss), (Stack(), .dismissAll),
            (Stack(path: ["a"]), .popTo("z")), (Stack(path: ["a"]), .popTo("a")), (Stack(path: ["a"]), .dismiss),
            (Stack(path: ["a"], modals: [.init("m")]), .pop),
            (Stack(path: ["a"], modals: [.init("m")]), .popToRoot),
            (Stack(path: ["a"], modals: [.init("m")]), .popTo("a")),
            (Stack(path: ["a"], modals: [.init("m")]), .popTo("m")),
        ] as [(Stack, Stack.Action)]
    )
    func impossible(before: Stack, action: Stack.Action) {
        var stack = before

        stack.reduce(action)

        #expect(stack == before)
    }

    @Test("popping to a page removes the pages above its last occurrence")
    func popTo() {
        var stack = Stack(path: ["a", "b", "a", "c", "d"])

        reduce(&stack, .popTo("a"))
        #expect(stack.path == ["a", "b", "a"])

        reduce(&stack, .popTo("b"))
        #expect(stack.path == ["a", "b"])
    }

    @Test("popping to the root leaves the root page or the modal page")
    func popToRoot() {
        var stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c", "d"])])

        reduce(&stack, .popToRoot)
        #expect(stack == Stack(path: ["a", "b"], modals: [.init("m")]))

        reduce(&stack, .dismiss, .popToRoot)
        #expect(stack.isEmpty)
    }

    @Test("popping to a modal page removes the pages pushed on it, unless a pushed page equals it")
    func popToModal() {
        var stack = Stack(modals: [.init("m", path: ["a", "m", "b"])])

        reduce(&stack, .popTo("m"))
        #expect(stack.topmostPath == ["a", "m"])

        reduce(&stack, .pop, .popTo("m"))
        #expect(stack.topmostPath.isEmpty)
        #expect(stack.top == "m")
    }

    @Test("the top page is replaced, pushed or modal")
    func replace() {
        var stack = Stack(path: ["a", "b"])

        reduce(&stack, .replace("c"))
        #expect(stack.path == ["a", "c"])

        reduce(&stack, .present("m"), .replace("n"))
        #expect(stack.modals == [.init("n")])

        reduce(&stack, .push("d"), .replace("e"))
        #expect(stack == Stack(path: ["a", "c"], modals: [.init("n", path: ["e"])]))
    }

    @Test("pages pushed on a modal page belong to it and are dismissed with it")
    func modalLayers() {
        var stack = Stack(path: ["a"])

        reduce(&stack, .present("m"), .push("b"), .present("n"), .push("c"))
        #expect(stack == Stack(path: ["a"], modals: [.init("m", path: ["b"]), .init("n", path: ["c"])]))

        reduce(&stack, .dismiss)
        #expect(stack.top == "b")
        #expect(stack.topmostPath == ["b"])

        reduce(&stack, .present("n"), .dismissAll)
        #expect(stack == Stack(path: ["a"]))
    }

    @Test("presenting the presented page again does nothing, whatever is pushed on it")
    func presentAgain() {
        var stack = Stack(path: ["m"])

        reduce(&stack, .present("m"), .present("m"))
        #expect(stack == Stack(path: ["m"], modals: [.init("m")]))
        reduce(&stack, .push("a"), .present("m"))
        #expect(stack == Stack(path: ["m"], modals: [.init("m", path: ["a"])]))

        reduce(&stack, .present("n"), .present("m"))
        #expect(stack.modals == [.init("m", path: ["a"]), .init("n"), .init("m")])
    }

    @Test(
        "popping a number of pages stops at the root page or the modal page",
        arguments: [(1, ["a", "b"]), (2, ["a"]), (3, []), (4, []), (.max, []), (0, nil), (-1, nil), (.min, nil)]
            as [(Int, [String]?)]
    )
    func popCount(count: Int, expected: [String]?) {
        let path = ["a", "b", "c"]
        var stack = Stack(path: path)
        var modal = Stack(path: ["x"], modals: [.init("m", path: path)])

        stack.reduce(.popCount(count))
        modal.reduce(.popCount(count))

        #expect(stack == Stack(path: expected ?? path))
        #expect(modal == Stack(path: ["x"], modals: [.init("m", path: expected ?? path)]))
    }

    @Test("a path reported by a container replaces that of the topmost layer")
    func setPath() {
        var stack = Stack(path: ["a", "b"])

        reduce(&stack, .setPath(["a"]), .present("m"), .setPath(["c"]))

        #expect(stack == Stack(path: ["a"], modals: [.init("m", path: ["c"])]))
    }

    @Test("a link replaces the whole stack")
    func show() {
        var stack = Stack(path: ["a"], modals: [.init("m")])
        let link = Stack(path: ["x", "y"])

        reduce(&stack, .show(link))

        #expect(stack == link)
    }

    @Test("stacks with different pages are not equal, and hash differently, wherever the pages are")
    func equality() {
        let stacks = [
            Stack(), Stack(path: ["a"]), Stack(path: ["b"]), Stack(modals: [.init("a")]),
            Stack(path: ["a"], modals: [.init("a")]), Stack(path: ["a"], modals: [.init("a", path: ["a"])]),
        ]

        for (position, stack) in stacks.enumerated() {
            #expect(stacks.firstIndex(of: stack) == position)
        }
        #expect(Set(stacks.map(\.hashValue)).count == stacks.count)
    }

    @Test("a decoded stack equals the encoded one")
    func codable() throws {
        let stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c"])])

        let data = try JSONEncoder().encode(stack)

        #expect(try JSONDecoder().decode(Stack.self, from: data) == stack)
    }

    /// The model is a flat list that marks each presented page.
    @Test("any sequence of actions leaves the same pages as in a flat list", arguments: 0..<16)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stack = Stack()
        var model: [(page: String, isModal: Bool)] = []

        for step in 0..<250 {
            let page = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
            let layer = (model.lastIndex { $0.isModal } ?? -1) + 1
            let entry = stack.entries.randomElement(using: &random)
            let position = stack.entries.firstIndex { $0.id == entry?.id }
            switch Int.random(in: 0..<15, using: &random) {
            case 0...3:
                stack.reduce(.push(page))
                model.append((page, false))
            case 4...5:
                stack.reduce(.pop)
                if model.count > layer { model.removeLast() }
            case 6:
                stack.reduce(.popTo(page))
                // The modal page itself counts. The root page doesn't, because it has no entry.
                let reachable = model.indices.filter { $0 >= layer - 1 && model[$0].page == page }
                if let target = reachable.last { model.removeSubrange((target + 1)...) }
            case 7:
                stack.reduce(.replace(page))
                if let last = model.popLast() { model.append((page, last.isModal)) }
            case 8...9:
                stack.reduce(.present(page))
                if layer == 0 || model[layer - 1].page != page { model.append((page, true)) }
            case 11:
                let count = Int.random(in: -1...3, using: &random)
                stack.reduce(.popCount(count))
                model.removeLast(min(max(count, 0), model.count - layer))
            case 12:
                stack.reduce(.popFrom(entry?.id ?? 0))
                if let position, !model[position].isModal { model.removeSubrange(position...) }
            case 13:
                stack.reduce(.dismissEntry(entry?.id ?? 0))
                if let position, model[position].isModal { model.removeSubrange(position...) }
            case 10:
                stack.reduce(.dismiss)
                if layer > 0 { model.removeSubrange((layer - 1)...) }
            default:
                stack.reduce(.popToRoot)
                model.removeSubrange(layer...)
            }

            #expect(flat(stack) == model.map { $0.isModal ? "(\($0.page))" : $0.page }, "seed \(seed), step \(step)")
            #expect(stack.top == model.last?.page, "seed \(seed), step \(step)")
            #expect(stack.isEmpty == model.isEmpty, "seed \(seed), step \(step)")
        }
    }

    private func flat(_ stack: Stack) -> [String] {
        stack.path + stack.modals.flatMap { ["(\($0.page))"] + $0.path }
    }

    private func reduce(_ stack: inout Stack, _ actions: Stack.Action...) {
        for action in actions {
            stack.reduce(action)
        }
    }
}
