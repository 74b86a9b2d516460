public import Relux

extension Settings {
    /// Work with the service that a front end asks for. How it went is told by the state.
    public enum Effect: Relux.Effect, Hashable {
        /// Reads the settings. What isn't saved stays.
        case load

        /// Saves what isn't saved. Every ``Command`` sees to that itself; this is the retry after a failure.
        case save
    }
}
