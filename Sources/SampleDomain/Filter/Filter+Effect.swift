public import Relux

extension Filter {
    /// What a user wants to see.
    public enum Effect: Relux.Effect, Hashable {
        /// The items with these words, once nothing else is typed for a moment.
        case narrow(to: String)
    }
}
