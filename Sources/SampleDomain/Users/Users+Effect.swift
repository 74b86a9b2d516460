public import Relux

extension Users {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Reads the users. It is meant for front ends that don't follow them, and as the retry after a failure: if it
        /// succeeds, the users are followed again.
        case load
    }
}
