public import Relux
public import SampleServices

extension Pets {
    /// The catalogue of pets as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any PetsService
        private let patience: Patience

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: The source of the pets.
        ///   - patience: How long to wait for an answer, and how often to retry.
        public init(service: any PetsService, patience: Patience = Patience()) {
            self.service = service
            self.patience = patience
        }

        /// The pets that have been loaded.
        public var states: [any Relux.State] { [State()] }

        /// Mark a subject as loading from the moment it is requested.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading, and opening pages.
        public var sagas: [any Relux.Saga] { [Loader(service: service, patience: patience), Opener()] }

        /// The application's stack of pages.
        public var dependencies: [any Relux.Module] { [Navigation.Module()] }
    }
}
