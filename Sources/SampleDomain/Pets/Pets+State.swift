public import Relux
public import SampleServices

extension Pets {
    /// What is known of the pets, and how loading it goes.
    public struct State: Relux.State {
        /// The list of all pets, in the order of the service.
        public internal(set) var catalogue: Relux.Loadable<Relux.Entities<Pet.Summary>, PetsServiceError> = .idle

        /// The pets whose page has been opened, by id.
        var details: [Pet.ID: Relux.Loadable<Pet, PetsServiceError>] = [:]

        /// The last try of each load that is under way, where one has failed.
        var setbacks: [Subject: Setback] = [:]

        /// Makes an empty state.
        public init() {}

        /// Everything about one pet.
        ///
        /// - Parameter id: The id of the pet.
        /// - Returns: What is known of that pet, and of no other.
        public func details(of id: Pet.ID) -> Relux.Loadable<Pet, PetsServiceError> {
            details[id] ?? .idle
        }

        /// What the catalogue or, where it doesn't have the pet, its page says in short.
        ///
        /// - Parameter id: The id of the pet.
        /// - Returns: The summary, the newer of two; nil where nothing is known.
        public func summary(of id: Pet.ID) -> Pet.Summary? {
            details[id]?.value?.summary ?? catalogue.value?[id: id]
        }

        /// Why a load that is under way goes on longer than it should; nil where it doesn't.
        ///
        /// - Parameter subject: What is loaded.
        /// - Returns: The last try that failed.
        public func setback(of subject: Subject) -> Setback? {
            setbacks[subject]
        }
    }
}
