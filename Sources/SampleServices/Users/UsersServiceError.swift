/// Why users could not be seen, or could not come or go: what happened, where, and what can be done about it.
public struct UsersServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// A file holds no presence. The text says what is wrong with it.
        case damaged(String)

        /// A file was written by another version of the program.
        case foreignVersion(Int, supported: Int)

        /// Where a file should be there is a folder, or something else that is no file.
        case notAFile

        /// Nobody of this name has ever come.
        case unknown(String)

        /// The user may not do this here.
        case noPermission(Operation)

        /// The disk is full, or the user's share of it.
        case diskFull

        /// Another process has held the lock for all that time.
        case locked(waited: Duration)

        /// The task was cancelled before anything was written.
        case cancelled

        /// The folder that was watched is gone.
        case folderVanished

        /// Anything else that the system refused, with its error number.
        case system(Operation, code: Int32)
    }

    /// What was being done.
    public typealias Operation = ItemsServiceError.Operation

    /// What happened.
    public let reason: Reason

    /// The path of the file or folder in question.
    public let file: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - file: The path of the file or folder in question.
    public init(_ reason: Reason, file: String) {
        self.reason = reason
        self.file = file
    }
}
