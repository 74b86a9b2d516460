public import Relux

extension Filter {
    /// The text that a user types to find items. The list knows which text is currently applied to it.
    public struct State: Relux.State, Hashable {
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
}
