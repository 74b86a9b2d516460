extension Relux {
    /// How `actions { }` executes its actions.
    public enum Execution: Sendable, Hashable {
        /// Each action, and all the work that it triggered, finishes before the next action is reduced.
        case serially
        /// All actions are reduced in order. The work that they triggered then runs concurrently.
        case concurrently
    }
}
