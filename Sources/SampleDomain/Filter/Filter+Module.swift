public import Relux

extension Filter {
    /// The filter as a feature of an app.
    public struct Module: Relux.Module {
        private let quietTime: Duration

        /// Creates the module.
        ///
        /// - Parameter quietTime: How long the text must be unchanged before it is applied. The default is 150
        ///   milliseconds.
        public init(quietTime: Duration = .milliseconds(150)) {
            self.quietTime = quietTime
        }

        /// The text of the filter.
        public var states: [any Relux.State] { [State()] }

        /// Stores the text immediately when it is typed.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// The saga that applies the filter to the list.
        public var sagas: [any Relux.Saga] { [Narrower(quietTime: quietTime)] }
    }
}
