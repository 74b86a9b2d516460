public import Relux
public import SampleServices

/// Who is using the application. A profile's data are in a folder of their own, and a common folder is used while
/// nobody is signed in.
///
/// - Owns: ``State``, with the profile that is signed in. It opens and closes the `ProfileDoor` in front of the
///   services of the other features.
/// - Takes: ``Command``. A front end performs ``Command/restore`` before anything else, because the door is closed
///   until then, and after it has reset the store.
/// - Sets off: on a change of profile, the last saves, then a reset of everything but the theme, then the first loads.
///   No work for one profile can write afterwards, neither to a state nor to a service.
/// - Follows: sign-ins and sign-outs by other processes, by a ``Command/restore``, which stores nothing.
///
/// It orchestrates other features, of which it knows only the vocabulary, and works if any of them is missing.
public enum Session {
    /// What a user wants done with the session.
    ///
    /// Performing a command returns the profile that is signed in afterwards. It throws a `StorageError` if the
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
