public import Relux

extension Trouble {
    /// Another try at everything that went wrong, and the last saves, as a feature of an app. It owns no state.
    public struct Module: Relux.Module {
        private let patience: Duration

        /// Makes the module.
        ///
        /// - Parameter patience: How long to wait for the last commands and saves of one who leaves. The default is 5
        ///   seconds.
        public init(patience: Duration = .seconds(5)) {
            self.patience = patience
        }

        /// Trying again.
        public var sagas: [any Relux.Saga] { [Retrier()] }

        /// The last saves.
        public var flows: [any Relux.Flow] { [Leaver(patience: patience)] }
    }
}
