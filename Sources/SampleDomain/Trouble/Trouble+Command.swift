public import Relux

extension Trouble {
    /// What a user wants done about troubles.
    public enum Command: Relux.Effect, Hashable {
        /// Retries everything that may succeed. Performing it returns when all attempts have ended, successfully or
        /// not.
        case retry
    }

    /// A user's request to leave the program.
    ///
    /// Performing it waits until all earlier commands have been carried out, and then lets the features save their
    /// unsaved changes, within a time limit. It returns whether everything was saved. A command that is still waiting
    /// at the end of that time is lost. Other running work is ignored. If the profile changes in the meantime, by an
    /// earlier command or by another process, the departure is cancelled like all other work and must be performed
    /// again.
    public enum Departure: Relux.Effect, Hashable {
        /// Whether everything was saved.
        public typealias Output = Bool

        /// Prepares for leaving by saving all unsaved changes.
        case prepare
    }
}
