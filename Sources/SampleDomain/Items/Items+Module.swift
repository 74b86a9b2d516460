public import Relux
public import SampleServices

extension Items {
    /// The to-do list as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any ItemsService
        private let history: (any ItemsHistoryService)?
        private let source: Source
        private let watchesElsewhere: Bool

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores the items.
        ///   - history: Stores the history, so that earlier changes can be undone too. All users of the same stored
        ///     history share it. The default is nil: the history is kept for the lifetime of the module and contains
        ///     only changes made through it.
        ///   - source: The source of dates and ids. The default is the system.
        ///   - watchesElsewhere: Whether to receive changes made elsewhere while the module is registered. A front end
        ///     that runs for a single command doesn't need them. The default is true.
        public init(
            service: any ItemsService,
            history: (any ItemsHistoryService)? = nil,
            source: Source = .system,
            watchesElsewhere: Bool = true
        ) {
            self.service = service
            self.history = history
            self.source = source
            self.watchesElsewhere = watchesElsewhere
        }

        /// The list.
        public var states: [any Relux.State] { [State(isHistoryKept: history != nil)] }

        /// Mark the list as loading from the moment it is requested, and record cancelled imports.
        public var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) },
                Relux.Reducer(of: State.self, on: ImportStop.self) { state, stop in state.reduce(stop) },
            ]
        }

        /// Reading and saving.
        public var sagas: [any Relux.Saga] {
            let always: [any Relux.Saga] = [Sync(service: service), importStopper]
            return history.map { always + [HistoryKeeper(service: $0)] } ?? always
        }

        /// The commands and the imports.
        public var flows: [any Relux.Flow] { [Editor(source: source), Importer(source: source)] }

        /// The changes made elsewhere, if they are to be received.
        public var watchers: [any Relux.Watcher] {
            guard watchesElsewhere else { return [] }
            return [
                StorageFollower(
                    service: service, changed: State.Action.changedElsewhere, failed: State.Action.elsewhereFailed)
            ]
        }
    }
}
