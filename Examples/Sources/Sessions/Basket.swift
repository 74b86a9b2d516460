import Relux

/// The basket of one session. It doesn't know that there are others.
enum Basket {
    struct State: Relux.State, Hashable {
        var articles: [String] = []

        enum Action: Relux.Action, Hashable { case added(String), ordered(count: Int) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let article): articles.append(article)
            // What was added while the order was under way stays.
            case .ordered(let count): articles.removeFirst(min(count, articles.count))
            }
        }
    }

    /// A request of this session has come.
    struct Visit: Relux.Effect, Hashable {}

    /// Ends the session half an hour after the last visit.
    struct Expiry: Relux.Saga {
        func policy(for visit: Visit) -> Relux.Policy { .debounce(.seconds(30 * 60)).background }

        func run(_ visit: Visit, in context: Relux.SagaContext) async throws { await context.dismiss() }
    }

    /// Orders what is in the basket, and returns the number of the order.
    struct Order: Relux.Effect, Hashable { typealias Output = Int }

    struct Ordering: Relux.Flow {
        let shop: any Shop

        /// Two orders at the same time are one, and both callers get its number.
        func policy(for order: Order) -> Relux.Policy { .shared }

        func run(_ order: Order, in context: Relux.SagaContext) async throws -> Int {
            let articles = try await context.state(of: State.self).articles
            let number = try await shop.order(articles)
            // Ends the run in this step: an order from now on is another one.
            await context.finish(with: State.Action.ordered(count: articles.count))
            return number
        }
    }

    struct Module: Relux.Module, Identifiable {
        let id: String
        let shop: any Shop

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Expiry()] }
        var flows: [any Relux.Flow] { [Ordering(shop: shop)] }
    }
}

protocol Shop: Sendable {
    func order(_ articles: [String]) async throws -> Int
}
