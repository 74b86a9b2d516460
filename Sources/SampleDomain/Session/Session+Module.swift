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

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores which profile is signed in.
        ///   - door: The door in front of the services of the other features. It should be closed.
        ///   - patience: How long a sign-out waits for the last commands and saves. The default is 5 seconds.
        ///   - loadsData: Whether to read the list and the settings as soon as the profile is known. A front end that
        ///     runs for a single command doesn't need this. The default is true.
        ///   - watchesElsewhere: Whether to follow the changes made to the session elsewhere while the module is
        ///     registered. A front end that runs for a single command doesn't need this. The default is true.
        public init(
            service: any SessionService,
            door: ProfileDoor,
            patience: Duration = Session.patience,
            loadsData: Bool = true,
            watchesElsewhere: Bool = true
        ) {
            self.service = service
            self.door = door
            self.patience = patience
            self.loadsData = loadsData
            self.watchesElsewhere = watchesElsewhere
        }

        /// Which profile is signed in.
        public var states: [any Relux.State] { [State()] }

        /// Clears a failure as soon as the next command is requested.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Command.self) { state, command in state.reduce(command) }]
        }

        /// The commands, and the coordination across all features.
        public var flows: [any Relux.Flow] {
            [Changer(service: service, door: door, lastSaves: LastSaves(patience: patience), loadsData: loadsData)]
        }

        /// The changes made elsewhere, if they are to be followed.
        public var watchers: [any Relux.Watcher] { watchesElsewhere ? [Elsewhere(service: service)] : [] }
    }

    /// Receives changes made to the session elsewhere, and requests the same change of profile as a command would.
    ///
    /// It only dispatches the request and doesn't wait for it, because the change of profile restarts this watcher. A
    /// change that a cancelled sequence reported without effect is reported again by the next one. If the session can't
    /// be read at that moment, ``State/failure`` says why. The next change, or a ``Command/restore``, then recovers.
    struct Elsewhere: Relux.Watcher {
        let service: any SessionService

        func watch(in context: Relux.SagaContext) async throws {
            for await change in await service.changesElsewhere() {
                switch change {
                case .success:
                    await context.dispatch {
                        State.Action.changedElsewhere
                        Command.restore
                    }
                case .failure(let error): await context.dispatch(State.Action.elsewhereFailed(error))
                }
            }
        }
    }
}
