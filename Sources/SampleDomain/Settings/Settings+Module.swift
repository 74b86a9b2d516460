public import Relux
public import SampleServices

extension Settings {
    /// The settings as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any SettingsService
        private let watchesElsewhere: Bool

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where the settings are kept.
        ///   - watchesElsewhere: Whether to take in what others change while the module is there. A front end that
        ///     lives for one command has no use for it. The default is true.
        public init(service: any SettingsService, watchesElsewhere: Bool = true) {
            self.service = service
            self.watchesElsewhere = watchesElsewhere
        }

        /// The settings, and the theme, which outlives them.
        public var states: [any Relux.State] { [State(), Appearance()] }

        /// Settings that are being read say so from the moment that they are asked for, and the theme follows them.
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

        /// What others do, where that is wanted.
        public var watchers: [any Relux.Watcher] { watchesElsewhere ? [Elsewhere(service: service)] : [] }
    }
}
