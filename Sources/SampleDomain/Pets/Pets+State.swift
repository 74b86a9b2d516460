public import Relux
public import SampleServices

extension Pets {
    /// The loaded pets, and the progress of loading them.
    public struct State: Relux.State {
        /// The list of all pets, in the order of the service.
        public internal(set) var catalogue: Relux.Loadable<Relux.Entities<Pet.Summary>, PetsServiceError> = .idle

        /// The pets whose pages have been opened, by id.
        var details: [Pet.ID: Relux.Loadable<Pet, PetsServiceError>] = [:]

        /// The last failed attempt of each running load.
        var setbacks: [Subject: Setback] = [:]

        /// Creates an empty state.
        public init() {}

        /// Returns the details of one pet.
        public func details(of id: Pet.ID) -> Relux.Loadable<Pet, PetsServiceError> {
            details[id] ?? .idle
        }

        /// Returns the summary of a pet, from its details if they have been loaded, otherwise from the catalogue.
        ///
        /// - Returns: The summary, or nil if nothing is known about the pet.
        public func summary(of id: Pet.ID) -> Pet.Summary? {
            details[id]?.value?.summary ?? catalogue.value?[id: id]
        }

        /// Returns the last failed attempt of a running load, or nil if none has failed.
        public func setback(of subject: Subject) -> Setback? {
            setbacks[subject]
        }
    }
}
