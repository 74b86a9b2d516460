import Foundation

/// An error of the session or settings service: what happened, where, and what can be done about it.
public struct ProfileServiceError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// The contents of the file are damaged. The text says what is wrong with them.
        case damaged(String)

        /// The file names a different format.
        case foreignFormat(String)

        /// The file was written by another version of the program.
        case foreignVersion(Int, supported: Int)

        /// The path leads to a folder or something else that isn't a regular file.
        case notAFile

        /// The path leads to a symbolic link whose target doesn't exist.
        case danglingLink

        /// The file is larger than this program reads or writes.
        case tooLarge

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

extension ProfileServiceError {
    /// Translates a failure to acquire a lock.
    init(lock failure: FileLock.Failure, file: String) {
        switch failure {
        case .held(let waited): self.init(.locked(waited: waited), file: file)
        case .cancelled: self.init(.cancelled, file: file)
        case .system(let error): self.init(error, .lock, file: file)
        }
    }

    /// Translates the error of a system call.
    init(_ error: SystemError, _ operation: Operation, file: String) {
        let reason: Reason =
            switch error.code {
            case EACCES, EPERM, EROFS: .noPermission(operation)
            case ENOSPC, EDQUOT: .diskFull
            case EISDIR: .notAFile
            case SystemError.danglingLink.code: .danglingLink
            case SystemError.tooLarge.code: .tooLarge
            default: .system(operation, code: error.code)
            }
        self.init(reason, file: file)
    }
}
