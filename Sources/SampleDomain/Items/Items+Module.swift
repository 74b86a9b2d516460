public import Relux
public import SampleServices

extension Items {
    /// The to-do list as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any ItemsService
        private let history: (any ItemsHistoryService)?
        private let tutorial: (any TutorialService)?
        private let source: Source
        private let watchesElsewhere: Bool

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where the items are kept.
        ///   - history: Where the history is kept, so that what was done before the module was made can be undone too.
        ///     Everybody who keeps the history in the same place shares it. The default is nil: it lasts as long as the
        ///     module, and holds only what was done through it.
        ///   - tutorial: Where it is remembered whether the tutorial was given. The default is nil: there is none, and
        ///     nobody takes ``Items/Tutorial``.
        ///   - source: Where dates and ids come from. The default is the system.
        ///   - watchesElsewhere: Whether to take in what others do to the list while the module is there. A front end
        ///     that lives for one command has no use for it. The default is true.
        public init(
            service: any ItemsService,
            history: (any ItemsHistoryService)? = nil,
            tutorial: (any TutorialService)? = nil,
            source: Source = .system,
            watchesElsewhere: Bool = true
        ) {
            self.service = service
            self.history = history
            self.tutorial = tutorial
            self.source = source
            self.watchesElsewhere = watchesElsewhere
        }

        /// The list.
        public var states: [any Relux.State] { [State(isHistoryKept: history != nil)] }

        /// A list that is being read says so from the moment that it is asked for.
        public var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) },
                Relux.Reducer(of: State.self, on: ImportStop.self) { state, stop in state.reduce(stop) },
            ]
        }

        /// Reading and saving.
        public var sagas: [any Relux.Saga] {
            let always: [any Relux.Saga] = [Sync(service: service), ImportStopper()]
            return history.map { always + [HistoryKeeper(service: $0)] } ?? always
        }

        /// The commands, imports, and the tutorial where there is one.
        public var flows: [any Relux.Flow] {
            let always: [any Relux.Flow] = [Editor(source: source), Importer(source: source)]
            return tutorial.map { always + [Teacher(service: $0, source: source)] } ?? always
        }

        /// What others do, where that is wanted.
        public var watchers: [any Relux.Watcher] { watchesElsewhere ? [Elsewhere(service: service)] : [] }
    }
}
