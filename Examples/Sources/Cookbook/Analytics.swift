import Relux

/// An action that is also an event for the analytics.
protocol Tracked: Relux.Action {
    var event: String { get }
}

/// Reports tracked actions, and failures that nobody received, without the features knowing it.
struct Analytics: Relux.StoreObserver {
    private let events: AsyncStream<String>.Continuation

    /// - Parameter events: Takes the events. Something outside the store sends them on, at its own pace.
    init(_ events: AsyncStream<String>.Continuation) { self.events = events }

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        if let action = record.action as? any Tracked { events.yield(action.event) }
    }

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        events.yield("failure: \(run.saga)")
    }
}

/// A feature that says which of its actions matter.
enum Basket {
    struct State: Relux.State, Hashable {
        var articles: [String] = []

        enum Action: Tracked, Hashable {
            case added(String)

            var event: String { "added to basket" }
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let article): articles.append(article)
            }
        }
    }

    struct Order: Relux.Effect, Hashable {}

    struct SoldOut: Error {}

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Relux.Reaction(to: Order.self) { _, _ in throw SoldOut() }] }
    }
}
