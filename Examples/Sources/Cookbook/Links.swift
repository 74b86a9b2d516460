import Relux

/// Opens pages by links. A link that arrives too early waits until somebody is signed in.
enum Links {
    enum Page: Hashable, Sendable { case home, order(Int) }

    typealias Stack = Relux.Navigation.Stack<Page>

    struct Account: Relux.State, Hashable {
        var isSignedIn = false

        enum Action: Relux.Action, Hashable { case signedIn }

        mutating func reduce(_ action: Action) { isSignedIn = true }
    }

    struct Open: Relux.Effect, Hashable { let path: String }

    struct Opener: Relux.Saga {
        /// A newer link supersedes one that still waits. Nothing else waits for a link: it may wait forever.
        func policy(for open: Open) -> Relux.Policy { .latest.background }

        func run(_ open: Open, in context: Relux.SagaContext) async throws {
            guard let pages = Self.pages(of: open.path) else { return }
            try await context.wait(until: Account.self) { $0.isSignedIn }
            await context.dispatch(Stack.Action.setPath(pages))
        }

        static func pages(of path: String) -> [Page]? {
            let parts = path.split(separator: "/")
            switch parts.first {
            case "orders" where parts.count == 2: return Int(parts[1]).map { [.home, .order($0)] }
            case nil: return [.home]
            default: return nil
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Account(), Stack(path: [.home])] }
        var sagas: [any Relux.Saga] { [Opener()] }
    }
}
