import Foundation
import Relux
import Testing

@Suite("Navigation.Stack", .timeLimit(.minutes(10)))
struct NavigationStackTests {
    typealias Stack = Relux.Navigation.Stack<String>

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
        // The same page again is another entry.
        var again = Stack(path: ["a"])
        reduce(&again, .pop, .push("a"))
        #expect(again.pages == ["a"])
        #expect(again != Stack(path: ["a"]))
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

    private func reduce(_ stack: inout Stack, _ actions: Stack.Action...) {
        for action in actions {
            stack.reduce(action)
        }
    }
}
