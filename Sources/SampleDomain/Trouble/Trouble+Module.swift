public import Relux

extension Trouble {
    /// Retries and the last saves as a feature of an app. It owns no state.
    public struct Module: Relux.Module {
        private let patience: Duration

        /// Creates the module.
        ///
        /// - Parameter patience: How long a departure waits for the last commands and saves. The default is 5 seconds.
        public init(patience: Duration = .seconds(5)) {
            self.patience = patience
        }

        /// Retrying.
        public var sagas: [any Relux.Saga] { [Retrier()] }

        /// The last saves.
        public var flows: [any Relux.Flow] { [Leaver(patience: patience)] }
    }
}
