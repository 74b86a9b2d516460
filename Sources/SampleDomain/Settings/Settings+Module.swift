public import Relux
public import SampleServices

extension Settings {
    /// The settings as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any SettingsService
        private let watchesElsewhere: Bool

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores the settings.
        ///   - watchesElsewhere: Whether to receive changes made elsewhere while the module is registered. A front end
        ///     that runs for a single command doesn't need them. The default is true.
        public init(service: any SettingsService, watchesElsewhere: Bool = true) {
            self.service = service
            self.watchesElsewhere = watchesElsewhere
        }

        /// The settings, and the theme, which outlives them.
        public var states: [any Relux.State] { [State(), Appearance()] }

        /// Mark the settings as loading from the moment they are requested, and make the theme follow them.
        public var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) },
                Relux.Reducer(of: Appearance.self, on: State.Action.self) { theme, action in theme.reduce(action) },
            ]
        }

        /// Reading and saving.
        public var sagas: [any Relux.Saga] { [Sync(service: service)] }

        /// The commands.
        public var flows: [any Relux.Flow] { [Editor()] }

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
