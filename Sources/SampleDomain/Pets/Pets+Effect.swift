public import Relux

extension Pets {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads or reloads a subject. A load of the same subject that is still running is superseded.
        ///
        /// A pet is loaded only while one of its pages is on the stack. Without a page, the effect does nothing.
        case load(Subject)
    }
}
