import Relux

extension Items {
    /// Work with the history service. Commands request it automatically.
    enum HistoryEffect: Relux.Effect {
        /// Reads the history.
        case load

        /// Saves the unsaved changes of the history.
        case save

        /// Keeps a history that can't be read under another name, so that a new one begins.
        case setAside
    }
}
