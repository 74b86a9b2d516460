public import Relux

extension Pets {
    /// Work with the service that a front end asks for. How it went is told by the state.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads something, anew where it is there already. A load of the same that is under way is superseded.
        ///
        /// A pet is loaded only for as long as a page of it lies on the stack: without one, this comes to nothing.
        case load(Subject)
    }
}
