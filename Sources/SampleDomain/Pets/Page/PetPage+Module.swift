public import Relux
import SampleServices

extension PetPage {
    /// One page as a feature of an app.
    public struct Module: Relux.Module, Identifiable {
        /// The entry of the stack.
        public let id: Navigation.Stack.Entry.ID

        let pet: Pet.ID
        let service: any PetsService
        let patience: Pets.Patience

        /// The pet, loading.
        public var states: [any Relux.State] { [State(of: pet)] }

        /// Mark the pet as loading from the moment it is requested.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading.
        public var sagas: [any Relux.Saga] { [Loader(pet: pet, service: service, patience: patience)] }

        /// The first load.
        public var watchers: [any Relux.Watcher] { [Opening()] }
    }
}
