public import Relux

extension Filter {
    /// What is looked for.
    public struct State: Relux.State, Hashable {
        /// What happens to what is looked for.
        public enum Action: Relux.Action, Hashable {
            /// The text hasn't changed for a moment.
            case settled(String)
        }

        /// What was typed so far.
        public internal(set) var text = ""

        /// What counts: the text, once it has settled.
        public internal(set) var query = Query()

        /// Makes a state that looks for nothing.
        public init() {}

        /// Whether the text has changed since it counted last.
        public var isSettling: Bool { Query(text) != query }

        /// Takes note of what happened.
        ///
        /// - Parameter action: What happened.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .settled(let text): query = Query(text)
            }
        }

        /// Takes note of what was typed.
        ///
        /// - Parameter effect: What is asked for.
        public mutating func reduce(_ effect: Effect) {
            switch effect {
            case .narrow(let text): self.text = text
            }
        }
    }
}
