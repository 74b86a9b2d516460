public import Relux
public import SampleServices

extension Pets {
    /// The catalogue of pets as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any PetsService
        private let patience: Patience

        /// Makes the module.
        ///
        /// - Parameters:
        ///   - service: Where the pets come from.
        ///   - patience: How long to wait for an answer, and how often to ask.
        public init(service: any PetsService, patience: Patience = Patience()) {
            self.service = service
            self.patience = patience
        }

        /// What is known of the pets.
        public var states: [any Relux.State] { [State()] }

        /// What is loaded says so from the moment that it is asked for.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading, and opening pages.
        public var sagas: [any Relux.Saga] { [Loader(service: service, patience: patience), Opener()] }

        /// The application's stack of pages.
        public var dependencies: [any Relux.Module] { [Navigation.Module()] }
    }
}
