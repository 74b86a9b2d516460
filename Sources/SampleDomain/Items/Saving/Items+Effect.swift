public import Relux

extension Items {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect {
        /// Reads the list. Unsaved changes are kept.
        case load

        /// Saves all unsaved changes. Every ``Command`` does this automatically. This effect is the retry after a
        /// failure.
        case save
    }
}
