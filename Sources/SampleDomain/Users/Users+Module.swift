public import Relux
public import SampleServices

extension Users {
    /// Who is there, as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any UsersService
        private let follows: Bool

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where users come and go.
        ///   - follows: Whether to take in who comes and goes while the module is there. A front end that lives for one
        ///     command has no use for it. The default is true.
        public init(service: any UsersService, follows: Bool = true) {
            self.service = service
            self.follows = follows
        }

        /// Who is there.
        public var states: [any Relux.State] { [State()] }

        /// What is loaded says so from the moment that it is asked for.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading.
        public var sagas: [any Relux.Saga] { [Loader(service: service)] }

        /// Coming and going.
        public var flows: [any Relux.Flow] { [Doorkeeper(service: service)] }

        /// Who comes and goes elsewhere, where that is wanted.
        public var watchers: [any Relux.Watcher] { follows ? [Follower(service: service)] : [] }
    }
}
