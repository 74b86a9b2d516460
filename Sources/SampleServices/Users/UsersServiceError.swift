/// An error of the users service: what happened, where, and what can be done about it.
public struct UsersServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// A file isn't a valid presence. The text says what is wrong with it.
        case damaged(String)

        /// A file was written by another version of the program.
        case foreignVersion(Int, supported: Int)

        /// The path leads to a folder or something else that isn't a regular file.
        case notAFile

        /// No user of this name has ever arrived.
        case unknown(String)

        /// The user has no permission for the operation.
        case noPermission(Operation)

        /// The disk is full, or the user's quota is exhausted.
        case diskFull

        /// Another process kept the lock for the whole time.
        case locked(waited: Duration)

        /// The task was cancelled before anything was written.
        case cancelled

        /// The watched folder is gone.
        case folderVanished

        /// Any other failure of a system call, with its error number.
        case system(Operation, code: Int32)
    }

    /// The operation that failed.
    public typealias Operation = ItemsServiceError.Operation

    /// What happened.
    public let reason: Reason

    /// The path of the file or folder concerned.
    public let file: String

    /// Creates an error.
    ///
    /// - Parameter file: The path of the file or folder concerned.
    public init(_ reason: Reason, file: String) {
        self.reason = reason
        self.file = file
    }
}
