public import Relux
public import SampleServices

extension PetPage {
    /// The pet of a page, and the progress of loading it.
    public struct State: Relux.State {
        /// The progress of a load.
        public enum Action: Relux.Action, Hashable {
            /// The pet was loaded.
            case loaded(Pet)

            /// An attempt failed, and another one follows.
            case setBack(Pets.Setback)

            /// The load failed.
            case failed(PetsServiceError)

            /// The load was cancelled.
            case cancelled
        }

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
            guard pet.isLoading else { return }
            setback = nil
            switch action {
            case .loaded(let loaded): pet = .loaded(loaded)
            case .setBack(let setback): self.setback = setback
            case .failed(let error): pet.fail(with: error)
            case .cancelled: pet.cancelLoading()
            }
        }

        /// Marks the pet as loading from the moment it is requested.
        mutating func reduce(_ effect: Effect) {
            setback = nil
            pet.startLoading()
        }
    }
}

extension PetPage {
    /// The page that is visible, if any. The pages that it covers keep their states.
    public static func visible(in states: borrowing Relux.StateReader) -> (id: Module.ID, state: State)? {
        guard let top = states[Navigation.Stack.self]?.entries.last else { return nil }
        return states.states(of: State.self, in: Module.self).first { $0.id == top.id }
    }
}
