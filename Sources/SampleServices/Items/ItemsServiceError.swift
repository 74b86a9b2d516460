/// Why items could not be read or saved: what happened, where, and what can be done about it.
public struct ItemsServiceError: Error, Equatable {
    /// What happened.
    public enum Reason: Sendable, Equatable {
        /// A line holds no item, or the first one no header. The text says what is wrong with it.
        case damagedLine(String)

        /// A line holds bytes that are no UTF-8.
        case invalidUTF8

        /// A line bears the id of an earlier one.
        case duplicateID(Item.ID, firstLine: Int)

        /// The first line says that the file is something else.
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
    public enum Operation: String, Sendable {
        /// Making or listing the data folder.
        case folder
        /// Reading the file.
        case read
        /// Writing the new version of the file.
        case write
        /// Taking the lock.
        case lock
        /// Watching for changes made elsewhere.
        case watch
    }

    /// What happened.
    public let reason: Reason

    /// The path of the file or folder in question.
    public let file: String

    /// The line in question, counted from 1, where there is one.
    public let line: Int?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - file: The path of the file or folder in question.
    ///   - line: The line in question, counted from 1, or nil.
    public init(_ reason: Reason, file: String, line: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
    }
}
