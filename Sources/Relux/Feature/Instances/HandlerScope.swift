extension Relux {
    /// Whether a handler of an instance takes the actions that are dispatched in the instance, or listens to those of a
    /// scope around it. In the root, all cases are the same.
    public enum HandlerScope: Sendable, Hashable {
        /// The actions that are dispatched in the instance, before any scope around it can take them.
        ///
        /// Such a handler must not keep the actions of a state outside from reaching their owner: it is refused with
        /// ``StoreError/shadows(_:owner:)``. If it keeps other actions from a module outside, this is reported as
        /// ``Refusal/Reason/shadows(_:in:owner:)``.
        case lexical

        /// The actions of one scope, wherever they are dispatched: of the innermost scope that takes their type, from
        /// the instance outward. The handler only listens. It is called in the same step, after the handlers of that
        /// scope.
        ///
        /// Actions that only listeners take go to the root.
        case enclosing

        /// The same as ``lexical``, but on purpose: nothing is refused or reported.
        case own
    }
}
