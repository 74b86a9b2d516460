public import Relux
public import SampleServices

extension Pets.State {
    /// The progress of loads.
    public enum Action: Relux.Action, Hashable {
        /// The catalogue was loaded. Each id occurs once.
        case catalogueLoaded([Pet.Summary])

        /// A pet was loaded.
        case petLoaded(Pet)

        /// An attempt failed, and another one follows.
        case setBack(Pets.Subject, Pets.Setback)

        /// The load failed.
        case loadFailed(Pets.Subject, PetsServiceError)

        /// The load was cancelled.
        case loadCancelled(Pets.Subject)
    }
}
