import Relux

extension Items {
    /// Work with the service that keeps the history. Commands see to it themselves.
    enum HistoryEffect: Relux.Effect {
        /// Reads the history.
        case load

        /// Saves what of it isn't saved.
        case save
    }
}
