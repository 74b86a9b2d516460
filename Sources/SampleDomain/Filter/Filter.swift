public import Relux

/// Filters the items of the list by text.
///
/// - Owns: ``State``, with the typed text. The list owns the result, ``Items/State/shown``.
/// - Takes: ``Effect``, at every keystroke.
/// - Sets off: ``Items/State/Action/filtered(_:)``, once the text has been unchanged for a moment. Searching a long
///   list at every keystroke would be wasted work. An empty text is applied immediately.
public enum Filter {
    /// The text that a user types to find items. The list knows which text is currently applied to it.
    public struct State: Relux.State, Hashable, Codable {
        /// The state has no actions of its own. It changes only with ``Effect``.
        public typealias Action = Never

        /// The text typed so far.
        public internal(set) var text = ""

        /// Creates a state with an empty text.
        public init() {}

        /// Stores the typed text.
        public mutating func reduce(_ effect: Effect) {
            switch effect {
            case .narrow(let text): self.text = text
            }
        }
    }

    /// What a user wants to see.
    public enum Effect: Relux.Effect, Hashable, Codable {
        /// Shows only the items that contain these words, once the text has stopped changing for a moment.
        case narrow(to: String)
    }

    /// Applies the text to the list once it has settled.
    struct Narrower: Relux.Saga {
        let quietTime: Duration

        /// An empty text supersedes a pending one, because both policies share one id.
        func policy(for effect: Effect) -> Relux.Policy {
            switch effect {
            case .narrow(let text): Items.Query(text).isEmpty ? .latest : .debounce(quietTime)
            }
        }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect {
            case .narrow(let text): await context.dispatch(Items.State.Action.filtered(text))
            }
        }
    }

    /// The filter as a feature of an app.
    public struct Module: Relux.Module {
        private let quietTime: Duration

        /// Creates the module.
        public init(quietTime: Duration = .milliseconds(150)) {
            self.quietTime = quietTime
        }

        /// The list, which does the filtering.
        public var requires: [any Relux.Module.Type] { [Items.Module.self] }

        /// The text of the filter.
        public var states: [any Relux.State] { [State()] }

        /// Stores the text immediately when it is typed.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// The saga that applies the filter to the list.
        public var sagas: [any Relux.Saga] { [Narrower(quietTime: quietTime)] }
    }
}
