public import Relux

extension Settings {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Reads the settings. Unsaved changes are kept.
        case load

        /// Saves all unsaved changes. Every ``Command`` does this automatically. This effect is the retry after a
        /// failure.
        case save
    }
}
