import Relux
import Testing

@Suite("Children that start with values of other states", .timeLimit(.minutes(10)))
struct ChildrenOfOtherStatesTests {
    private struct Page: Relux.Module, Identifiable {
        let id: String
        let states: [any Relux.State]

        init(id: String, greeting reader: borrowing Relux.StateReader) {
            self.id = id
            states = [Log(reader[Account.State.self]?.name ?? "")]
        }
    }

    /// What the children follow.
    enum Form: CaseIterable, Sendable {
        case ids, elements, optional

        fileprivate var children: Relux.Children {
            switch self {
            case .ids: .each(of: Inbox.State.self, \.open) { Page(id: $0, greeting: $2) }
            case .elements:
                .each(of: Inbox.State.self, { $0.open.map(Item.init) }) { Page(id: $0.id, greeting: $2) }
            case .optional: .optional(of: Inbox.State.self, \.open.first) { Page(id: $0, greeting: $2) }
            }
        }
    }

    private struct Item: Identifiable, Equatable, Sendable {
        let id: String
    }

    @Test("the closure reads other states as the action leaves them", arguments: Form.allCases)
    func reads(form: Form) async throws {
        let store = try await Relux.Store {
            Account.Module()
            Part<TagA>(states: [Inbox.State()], children: [form.children])
        }

        await store.dispatch {
            Account.State.Action(name: "ann")
            Inbox.State.Action.open("a")
        }
        await store.dispatch(Account.State.Action(name: "ben"))

        #expect(try await store.scope(of: Page.self, id: "a").state(of: Log.self).entries == ["ann"])
    }

    @Test("a state that isn't there is nil, and of two modules in one registration the children read both")
    func registration() async throws {
        let store = Relux.Store(.init(states: [Inbox.State(open: ["a"])]))

        try await store.register(
            Part<TagA>(states: [Inbox.State()], children: [Form.ids.children]), Account.Module())

        #expect(try await store.scope(of: Page.self, id: "a").state(of: Log.self).entries == ["nobody"])
    }
}
