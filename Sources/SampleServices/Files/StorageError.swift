public import Foundation

/// An error of a service that stores data in files: what happened, where, and what can be done about it.
public struct StorageError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// The contents of the file are damaged. The text says what is wrong with them.
        case damaged(String)

        /// A line isn't a valid record, or the first line isn't a valid header. The text says what is wrong with it.
        case damagedLine(String)

        /// A line is not valid UTF-8.
        case invalidUTF8

        /// A line repeats the id of an earlier line.
        case duplicateID(UUID, firstLine: Int)

        /// The file has a different number of lines below its header than the header says, for example because it was
        /// cut off at the end of a line.
        case miscounted(found: Int, expected: Int)

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
    public enum Operation: String, Sendable {
        /// Creating or listing a folder.
        case folder
        /// Reading the file.
        case read
        /// Writing the new version of the file.
        case write
        /// Acquiring the lock.
        case lock
        /// Watching for changes made elsewhere.
        case watch
    }

    /// What happened.
    public let reason: Reason

    /// The path of the file or folder concerned.
    public let file: String

    /// The number of the line concerned, starting at 1, or nil if no single line is concerned.
    public let line: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - file: The path of the file or folder concerned.
    ///   - line: The number of the line concerned, starting at 1, or nil.
    public init(_ reason: Reason, file: String, line: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
    }
}

/// An error of the list or of its history.
public typealias ItemsServiceError = StorageError

/// An error of the session or of the settings.
public typealias ProfileServiceError = StorageError

/// An error of the presence of users.
public typealias UsersServiceError = StorageError

extension StorageError {
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

    /// Translates a failure to acquire a lock.
    init(lock failure: FileLock.Failure, file: String) {
        switch failure {
        case .held(let waited): self.init(.locked(waited: waited), file: file)
        case .cancelled: self.init(.cancelled, file: file)
        case .system(let error): self.init(error, .lock, file: file)
        }
    }
}
