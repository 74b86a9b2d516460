/// An error of the items service: what happened, where, and what can be done about it.
public struct ItemsServiceError: Error, Equatable {
    /// What happened.
    public enum Reason: Sendable, Equatable {
        /// A line isn't a valid item, or the first line isn't a valid header. The text says what is wrong with it.
        case damagedLine(String)

        /// A line is not valid UTF-8.
        case invalidUTF8

        /// A line repeats the id of an earlier line.
        case duplicateID(Item.ID, firstLine: Int)

        /// The file has a different number of lines below its header than the header says, for example because it was
        /// cut off at the end of a line.
        case miscounted(found: Int, expected: Int)

        /// The header names a different format.
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
    public enum Operation: String, Sendable {
        /// Creating or listing the data folder.
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
