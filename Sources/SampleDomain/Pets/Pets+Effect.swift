public import Relux

extension Pets {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads or reloads the catalogue. A load that is still running is superseded.
        case load
    }
}
