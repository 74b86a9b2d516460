public import Relux
public import SampleServices

extension Pets {
    /// The catalogue of pets as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any PetsService
        private let patience: Patience

        /// Creates the module.
        public init(service: any PetsService, patience: Patience = Patience()) {
            self.service = service
            self.patience = patience
        }

        /// The pets that have been loaded.
        public var states: [any Relux.State] { [State()] }

        /// Opening pages, and remembering what pages have loaded.
        public var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: Navigation.Stack.self, on: Command.self) { stack, command in stack.reduce(command) },
                Relux.Reducer(of: State.self, on: Relux.ChildAction<PetPage.Module, PetPage.State.Action>.self) {
                    state, page in state.reduce(page.action)
                },
            ]
        }

        /// Loading the catalogue.
        public var sagas: [any Relux.Saga] {
            [Loader<Effect, [Pet.Summary]>(service: service, patience: patience) { try await $0.pets() }]
        }

        /// The application's stack of pages.
        public var dependencies: [any Relux.Module] { [Navigation.Module()] }

        /// A page for each entry of the stack. The same pet twice is two pages.
        public var children: [Relux.Children] {
            [
                .each(of: Navigation.Stack.self, \.entries) { entry, _ in
                    switch entry.page {
                    case .pet(let id): PetPage.Module(id: entry.id, pet: id, service: service, patience: patience)
                    }
                }
            ]
        }
    }
}
