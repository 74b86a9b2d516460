import Relux
import Testing

@Suite("Children that start with values of other states", .timeLimit(.minutes(10)))
struct ChildrenOfOtherStatesTests {
    private struct Page: Relux.Module, Identifiable {
        let id: String
        let greeting: String
        var states: [any Relux.State] { [Log(entries: [greeting])] }
    }

    /// What the children follow.
    enum Form: CaseIterable, Sendable {
        case ids, elements, optional

        fileprivate var children: Relux.Children {
            switch self {
            case .ids:
                .each(of: Inbox.State.self, \.open) { id, _, reader in
                    Page(id: id, greeting: reader[Account.State.self]?.name ?? "")
                }
            case .elements:
                .each(of: Inbox.State.self, { $0.open.map(Item.init) }) { item, _, reader in
                    Page(id: item.id, greeting: reader[Account.State.self]?.name ?? "")
                }
            case .optional:
                .optional(of: Inbox.State.self, \.open.first) { id, _, reader in
                    Page(id: id, greeting: reader[Account.State.self]?.name ?? "")
                }
            }
        }
    }

    private struct Item: Identifiable, Equatable, Sendable {
        let id: String
    }

    private struct Book: Relux.Module {
        let form: Form
        var states: [any Relux.State] { [Inbox.State()] }
        var children: [Relux.Children] { [form.children] }
    }

    @Test("the closure reads other states as the action leaves them", arguments: Form.allCases)
    func reads(form: Form) async throws {
        let store = try await Relux.Store {
            Account.Module()
            Book(form: form)
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

        try await store.register(Book(form: .ids), Account.Module())

        #expect(try await store.scope(of: Page.self, id: "a").state(of: Log.self).entries == ["nobody"])
    }
}
