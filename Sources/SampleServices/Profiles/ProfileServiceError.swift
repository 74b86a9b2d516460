import Foundation

/// Why the session or the settings could not be read or saved: what happened, where, and what can be done about it.
public struct ProfileServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// The file doesn't hold what it should. The text says what is wrong with it.
        case damaged(String)

        /// The file says that it is something else.
        case foreignFormat(String)

        /// The file was written by another version of the program.
        case foreignVersion(Int, supported: Int)

        /// Where the file should be there is a folder, or something else that is no file.
        case notAFile

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

extension ProfileServiceError {
    /// What a lock that couldn't be taken means here.
    init(lock failure: FileLock.Failure, file: String) {
        switch failure {
        case .held(let waited): self.init(.locked(waited: waited), file: file)
        case .cancelled: self.init(.cancelled, file: file)
        case .system(let error): self.init(error, .lock, file: file)
        }
    }

    /// What an error number of the system means here.
    init(_ error: SystemError, _ operation: Operation, file: String) {
        let reason: Reason =
            switch error.code {
            case EACCES, EPERM, EROFS: .noPermission(operation)
            case ENOSPC, EDQUOT: .diskFull
            case EISDIR: .notAFile
            default: .system(operation, code: error.code)
            }
        self.init(reason, file: file)
    }
}
