public import Relux

extension Filter {
    /// What a user wants to see.
    public enum Effect: Relux.Effect, Hashable {
        /// Shows only the items that contain these words, once the text has stopped changing for a moment.
        case narrow(to: String)
    }
}
