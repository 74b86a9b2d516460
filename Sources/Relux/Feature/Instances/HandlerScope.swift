extension Relux {
    /// Which actions a handler takes that is listed by a module inside an instance. In the root, all cases are the
    /// same.
    public enum HandlerScope: Sendable, Hashable {
        /// The actions that are dispatched in the instance, before any scope around it can take them.
        ///
        /// A handler that would take the actions of a state outside away from their owner is refused
        /// (``StoreError/shadows(_:owner:)``), and one that takes other actions from a module outside is reported
        /// (``Refusal/Reason/shadows(_:in:owner:)``).
        case lexical

        /// Listens: the handler takes each action that the innermost scope with a taker takes, from the instance
        /// outward, wherever it is dispatched. It takes nothing away from that taker, and is served after it, in the
        /// same step.
        ///
        /// An action that only listeners take goes to the root.
        case enclosing

        /// The same as ``lexical``, and says that it is meant: nothing is refused or reported.
        case own
    }
}
