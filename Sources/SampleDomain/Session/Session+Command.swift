public import Relux
public import SampleServices

extension Session {
    /// What a user wants.
    ///
    /// To perform one returns who is signed in when it is done, and throws a `ProfileServiceError` where it could not
    /// be; then whoever was signed in still is. Commands are carried out one after the other. One that waits for its
    /// turn while the data change hands is cancelled, as is everything else.
    ///
    /// Who gives up waiting doesn't leave it half done: a ``restore`` follows by itself, and carries out what had been
    /// written down by then.
    public enum Command: Relux.Effect, Hashable {
        /// Who is signed in; nil where nobody is.
        public typealias Output = Profile?

        /// Finds out who is signed in, and opens the door to the data.
        case restore

        /// Signs in, in place of whoever is signed in.
        case signIn(ProfileName)

        /// Signs out.
        case signOut

        /// Does nothing. To perform it returns when all commands that were given before it have been carried out.
        case catchUp
    }
}
