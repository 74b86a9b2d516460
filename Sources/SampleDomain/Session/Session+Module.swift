public import Relux
public import SampleServices

extension Session {
    /// The session as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any SessionService
        private let door: ProfileDoor
        private let patience: Duration
        private let loadsData: Bool
        private let watchesElsewhere: Bool

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where it is written down who is signed in.
        ///   - door: What the services of the other features stand behind. It should be closed.
        ///   - patience: How long to wait for the last commands and saves of one who leaves. The default is 5 seconds.
        ///   - loadsData: Whether to read the list and the settings as soon as somebody has come. A front end that
        ///     lives for one command has no use for it. The default is true.
        ///   - watchesElsewhere: Whether to follow what other processes write down about the session while the module
        ///     is there. A front end that lives for one command has no use for it. The default is true.
        public init(
            service: any SessionService,
            door: ProfileDoor,
            patience: Duration = .seconds(5),
            loadsData: Bool = true,
            watchesElsewhere: Bool = true
        ) {
            self.service = service
            self.door = door
            self.patience = patience
            self.loadsData = loadsData
            self.watchesElsewhere = watchesElsewhere
        }

        /// Who is signed in.
        public var states: [any Relux.State] { [State()] }

        /// A failure is forgotten as soon as something else is tried.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Command.self) { state, command in state.reduce(command) }]
        }

        /// The commands, and the orchestration across all features.
        public var flows: [any Relux.Flow] {
            [Changer(service: service, door: door, lastSaves: LastSaves(patience: patience), loadsData: loadsData)]
        }

        /// What others write down, where that is wanted.
        public var watchers: [any Relux.Watcher] { watchesElsewhere ? [Elsewhere(service: service)] : [] }
    }
}
