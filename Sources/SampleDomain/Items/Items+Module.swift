public import Relux
public import SampleServices

extension Items {
    /// The to-do list as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any ItemsService
        private let source: Source
        private let watchesElsewhere: Bool

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where the items are kept.
        ///   - source: Where dates and ids come from. The default is the system.
        ///   - watchesElsewhere: Whether to take in what others do to the list while the module is there. A front end
        ///     that lives for one command has no use for it. The default is true.
        public init(service: any ItemsService, source: Source = .system, watchesElsewhere: Bool = true) {
            self.service = service
            self.source = source
            self.watchesElsewhere = watchesElsewhere
        }

        /// The list.
        public var states: [any Relux.State] { [State()] }

        /// A list that is being read says so from the moment that it is asked for.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Reading and saving.
        public var sagas: [any Relux.Saga] { [Sync(service: service)] }

        /// The commands.
        public var flows: [any Relux.Flow] { [Editor(source: source)] }

        /// What others do, where that is wanted.
        public var watchers: [any Relux.Watcher] { watchesElsewhere ? [Elsewhere(service: service)] : [] }
    }
}
