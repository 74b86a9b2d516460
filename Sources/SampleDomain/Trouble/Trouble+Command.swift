public import Relux

extension Trouble {
    /// What a user wants done about it.
    public enum Command: Relux.Effect, Hashable {
        /// Tries everything again that may pass. To perform it returns when that has ended, well or not.
        case retry
    }

    /// Somebody wants to leave the program.
    ///
    /// To perform it waits until everything is carried out that was commanded before, lets the features save what isn't
    /// saved then, for as long as all that may take, and returns whether nothing is lost. A command that still waits at
    /// the end is. It makes nothing of what else is under way. Where the data change hands meanwhile, by a command
    /// given before or by another process, it is cancelled as everything is: whoever wants to leave performs it again.
    public enum Departure: Relux.Effect, Hashable {
        /// Whether nothing is lost.
        public typealias Output = Bool

        /// Sees to what isn't saved.
        case prepare
    }
}
