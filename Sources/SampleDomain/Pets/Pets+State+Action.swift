public import Relux
public import SampleServices

extension Pets.State {
    /// How loads go.
    public enum Action: Relux.Action, Hashable {
        /// The catalogue was loaded: these, each id once.
        case catalogueLoaded([Pet.Summary])

        /// A pet was loaded.
        case petLoaded(Pet)

        /// A try to load has failed, and another one follows.
        case setBack(Pets.Subject, Pets.Setback)

        /// It could not be loaded.
        case loadFailed(Pets.Subject, PetsServiceError)

        /// Nobody wants it any more.
        case loadCancelled(Pets.Subject)
    }
}
