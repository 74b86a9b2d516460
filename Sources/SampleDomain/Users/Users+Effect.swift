public import Relux

extension Users {
    /// Work with the service that a front end asks for. How it went is told by the state.
    public enum Effect: Relux.Effect, Hashable {
        /// Looks who is there. It is for who doesn't follow them, and for another try after a failure: where it
        /// succeeds, they are followed again.
        case load
    }
}
