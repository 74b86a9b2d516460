public import Relux
public import SampleServices

/// The page of one pet.
///
/// - Owns: ``State``, with the pet and the progress of loading it.
/// - Takes: ``Effect``, to load the pet again.
/// - Sets off: a load as soon as the page is open.
///
/// Each page on the application's stack is an instance of ``Module``, made by ``Pets/Module`` and identified by its
/// entry in the stack. Nothing here has to know how many pages there are, which of them is visible, or how a page is
/// closed.
public enum PetPage {
    /// The pet of a page, and the progress of loading it.
    public struct State: Relux.State {
        /// The progress of a load.
        public typealias Action = Pets.Progress<Pet>

        /// The id of the pet.
        public let id: Pet.ID

        /// The pet. A page that has just been opened is about to load it.
        public internal(set) var pet: Relux.Loadable<Pet, PetsServiceError> = .loading(previous: nil)

        /// The last failed attempt of the running load, or nil if none has failed.
        public internal(set) var setback: Pets.Setback?

        /// Creates the state of a page that has just been opened.
        public init(of id: Pet.ID) {
            self.id = id
        }

        /// Records the progress of a load. If the pet isn't being loaded, nothing changes.
        public mutating func reduce(_ action: Action) {
            guard pet.isLoading || action == .began else { return }
            setback = nil
            switch action {
            case .began: pet.startLoading()
            case .loaded(let loaded): pet = .loaded(loaded)
            case .setBack(let setback): self.setback = setback
            case .failed(let error): pet.fail(with: error)
            case .cancelled: pet.cancelLoading()
            }
        }
    }

    /// The page that is visible, if any. The pages that it covers keep their states.
    public static func visible(in states: borrowing Relux.StateReader) -> (id: Module.ID, state: State)? {
        guard let top = states[Navigation.Stack.self]?.entries.last else { return nil }
        return states.states(of: State.self, in: Module.self).first { $0.id == top.id }
    }

    /// Service work that a front end requests of a page. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads or reloads the pet. A load of the same page that is still running is superseded.
        case load
    }

    /// Loads the pet. Each page has a loader of its own.
    typealias Loader = Pets.Loader<Effect, Pet>

    /// One page as a feature of an app.
    public struct Module: Relux.Module, Identifiable {
        /// The entry of the stack.
        public let id: Navigation.Stack.Entry.ID

        let pet: Pet.ID
        let service: any PetsService
        let patience: Pets.Patience

        /// The pet, loading.
        public var states: [any Relux.State] { [State(of: pet)] }

        /// Loading.
        public var sagas: [any Relux.Saga] {
            [Loader(service: service, patience: patience) { [pet] in try await $0.pet(id: pet) }]
        }

        /// The first load, however the page was opened: by a command, or by a link that replaced the stack.
        public var openingActions: [any Relux.Action] { [Effect.load] }
    }
}
