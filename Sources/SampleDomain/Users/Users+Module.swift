public import Relux
public import SampleServices

extension Users {
    /// The presence of users as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any UsersService
        private let follows: Bool

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores the presence of users.
        ///   - follows: Whether to follow changes of presence while the module is registered. A front end that runs for
        ///     a single command doesn't need this. The default is true.
        public init(service: any UsersService, follows: Bool = true) {
            self.service = service
            self.follows = follows
        }

        /// The users.
        public var states: [any Relux.State] { [State()] }

        /// Mark the users as loading from the moment they are requested.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading.
        public var sagas: [any Relux.Saga] { [Loader(service: service)] }

        /// Arrivals and departures.
        public var flows: [any Relux.Flow] { [Doorkeeper(service: service)] }

        /// The changes made elsewhere, if they are to be followed.
        public var watchers: [any Relux.Watcher] { follows ? [Follower(service: service)] : [] }
    }
}
