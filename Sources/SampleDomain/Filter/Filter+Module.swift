public import Relux

extension Filter {
    /// The filter as a feature of an app.
    public struct Module: Relux.Module {
        private let quietTime: Duration

        /// Makes the module.
        ///
        /// - Parameter quietTime: How long a text has to stay the same before it counts. The default is 150
        ///   milliseconds.
        public init(quietTime: Duration = .milliseconds(150)) {
            self.quietTime = quietTime
        }

        /// What was typed.
        public var states: [any Relux.State] { [State()] }

        /// What is typed is seen at once.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Telling the list.
        public var sagas: [any Relux.Saga] { [Narrower(quietTime: quietTime)] }
    }
}
