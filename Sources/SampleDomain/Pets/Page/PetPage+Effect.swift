public import Relux

extension PetPage {
    /// Service work that a front end requests of a page. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads or reloads the pet. A load of the same page that is still running is superseded.
        case load
    }
}
