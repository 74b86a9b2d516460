public import Relux

extension Filter {
    /// What somebody types to find items. What counts of it at present is known by the list.
    public struct State: Relux.State, Hashable {
        /// Nothing happens to it but what is typed.
        public typealias Action = Never

        /// What was typed so far.
        public internal(set) var text = ""

        /// Makes a state in which nothing was typed.
        public init() {}

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
