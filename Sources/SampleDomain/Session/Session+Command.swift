public import Relux
public import SampleServices

extension Session {
    /// What a user wants done with the session.
    ///
    /// Performing a command returns the profile that is signed in afterwards. It throws a `ProfileServiceError` if the
    /// command failed, in which case the previous profile remains signed in. Commands run one after the other. A
    /// command that is waiting for its turn during a change of profile is cancelled, like all other work.
    ///
    /// Cancelling a command doesn't leave it half done: a ``restore`` follows automatically and carries out whatever
    /// was stored by then.
    public enum Command: Relux.Effect, Hashable {
        /// The profile that is signed in, or nil if nobody is.
        public typealias Output = Profile?

        /// Reads which profile is signed in, and opens the door to its data.
        case restore

        /// Signs a profile in, in place of the current one.
        case signIn(ProfileName)

        /// Signs the current profile out.
        case signOut

        /// Does nothing. Performing it returns when all earlier commands have been carried out.
        case catchUp
    }
}
