import Relux
import Testing

@testable import ReluxTesting

@Suite("Actions as text", .timeLimit(.minutes(10)))
struct ActionTextTests {
    enum Page: Hashable, Sendable { case home, item(id: Int) }

    struct Load<Key: Sendable>: Relux.Action {
        var key: Key
    }

    struct Refresh: Relux.Action {}

    struct Ping<Key: Sendable>: Relux.Action {}

    @Test("an action of a generic state is named in full")
    func genericStates() {
        typealias Action = Relux.Navigation.Stack<Page>.Action

        let push = ActionText.line(Action.push(.item(id: 1)))
        let pop = ActionText.line(Action.pop)

        #expect(push == "Relux.Navigation.Stack<ActionTextTests.Page>.Action.push(.item(id: 1))")
        #expect(pop == "Relux.Navigation.Stack<ActionTextTests.Page>.Action.pop")
    }

    @Test("an action that is a struct has its name once, whether or not it is generic")
    func structs() {
        #expect(ActionText.line(Load(key: 7)) == "ActionTextTests.Load<Int>(key: 7)")
        #expect(ActionText.line(Refresh()) == "ActionTextTests.Refresh()")
        #expect(ActionText.line(Ping<Page>()) == "ActionTextTests.Ping<ActionTextTests.Page>()")
    }
}
