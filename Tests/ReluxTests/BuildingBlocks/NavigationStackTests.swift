import Foundation
import Relux
import ReluxTesting
import Testing

@Suite("Navigation.Stack", .timeLimit(.minutes(10)))
struct NavigationStackTests {
    typealias Stack = Relux.Navigation.Stack<String>

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

        #expect(stack.layers == Stack(path: expected ?? path).layers)
        #expect(modal.layers == Stack(path: ["x"], modals: [.init("m", path: expected ?? path)]).layers)
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
        var stack = Stack(path: ["a", "b"], modals: [.init("m", path: ["c"])])
        reduce(&stack, .pop, .dismiss, .pop, .push("d"), .push("e", id: 20), .push("f", id: 9))

        var decoded = try JSONDecoder().decode(Stack.self, from: JSONEncoder().encode(stack))

        #expect(decoded == stack)
        // The rest goes on as if nothing had happened: the next id is the same, and no used one can be chosen.
        reduce(&stack, .push("g"), .push("h", id: 3), .push("h", id: 9), .push("h", id: 15))
        reduce(&decoded, .push("g"), .push("h", id: 3), .push("h", id: 9), .push("h", id: 15))
        #expect(stack.entries.map(\.id) == [1, 5, 20, 9, 21, 15])
        #expect(decoded == stack)
    }

    @Test(
        "what was written by hand, or is inconsistent, has new entries",
        arguments: [
            "", #", "ids": [1]"#, #", "ids": [1, 1, 2]"#, #", "ids": [1, 2, 3, 4]"#, #", "usedIDs": null"#,
        ])
    func decodedByHand(ids: String) throws {
        let text = #"{"path": ["a", "b"], "modals": [{"page": "m", "path": []}]\#(ids)}"#

        let stack = try JSONDecoder().decode(Stack.self, from: Data(text.utf8))

        #expect(stack == Stack(path: ["a", "b"], modals: [.init("m")]))
    }

    @Test("ids that were used by hand are used")
    func idsByHand() throws {
        let text = #"{"path": ["a"], "modals": [], "ids": [5]}"#

        var stack = try JSONDecoder().decode(Stack.self, from: Data(text.utf8))
        reduce(&stack, .push("b", id: 5), .push("c"))

        #expect(stack.entries.map(\.id) == [5, 6])
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
