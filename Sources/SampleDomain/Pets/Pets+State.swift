public import Relux
public import SampleServices

extension Pets {
    /// The catalogue, the progress of loading it, and the pets that pages have loaded.
    public struct State: Relux.State {
        /// The list of all pets, in the order of the service.
        public internal(set) var catalogue: Relux.Loadable<Relux.Entities<Pet.Summary>, PetsServiceError> = .idle

        /// The last failed attempt of a running load of the catalogue, or nil if none has failed.
        public internal(set) var setback: Setback?

        /// The pets that pages have loaded, by id, also after these were closed. A page that is opened again shows it
        /// while it loads.
        public internal(set) var seen: [Pet.ID: Pet] = [:]

        /// Creates an empty state.
        public init() {}
    }
}

extension Pets.State {
    /// The progress of a load of the catalogue. Each id in it occurs once.
    public typealias Action = Pets.Progress<[Pet.Summary]>

    /// Records the progress of a load. If the catalogue isn't being loaded, for example after a cancellation, nothing
    /// changes.
    ///
    /// - Complexity: O(*n*) in the number of pets for a catalogue, otherwise O(1).
    public mutating func reduce(_ action: Action) {
        guard catalogue.isLoading || action == .began else { return }
        setback = nil
        switch action {
        case .began: catalogue.startLoading()
        case .loaded(let pets): catalogue = .loaded(Relux.Entities(pets, keeping: .first))
        case .setBack(let setback): self.setback = setback
        case .failed(let error): catalogue.fail(with: error)
        case .cancelled: catalogue.cancelLoading()
        }
    }

    /// Remembers what a page has loaded.
    mutating func reduce(_ action: PetPage.State.Action) {
        if case .loaded(let pet) = action { seen[pet.id] = pet }
    }
}
