public import Relux
public import SampleServices

extension Pets {
    /// The catalogue, the progress of loading it, and the pets that pages have loaded.
    public struct State: Relux.State {
        /// The list of all pets, in the order of the service.
        public internal(set) var catalogue: Relux.Loadable<Relux.Entities<Pet.Summary>, PetsServiceError> = .idle

        /// The last failed attempt of a running load of the catalogue, or nil if none has failed.
        public internal(set) var setback: Setback?

        /// What pages have loaded, by id, also after they were closed. A page that is opened again shows it while it
        /// loads.
        public internal(set) var seen: [Pet.ID: Pet] = [:]

        /// Creates an empty state.
        public init() {}
    }
}
