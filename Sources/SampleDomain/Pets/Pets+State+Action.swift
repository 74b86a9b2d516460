public import Relux
public import SampleServices

extension Pets.State {
    /// The progress of a load of the catalogue.
    public enum Action: Relux.Action, Hashable {
        /// The catalogue was loaded. Each id occurs once.
        case loaded([Pet.Summary])

        /// An attempt failed, and another one follows.
        case setBack(Pets.Setback)

        /// The load failed.
        case failed(PetsServiceError)

        /// The load was cancelled.
        case cancelled
    }
}
