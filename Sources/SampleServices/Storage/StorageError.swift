public import Foundation

/// An error of a service that reads or writes files: what happened, where, and what can be done about it.
public struct StorageError: Error, Hashable {
    /// What happened.
    public enum Reason: Sendable, Hashable {
        /// The contents of the file are damaged. The text says what is wrong with them.
        case damaged(String)
        /// A line isn't a valid record, or the first line isn't a valid header. The text says what is wrong with it.
        case damagedLine(String)
        /// A line is not valid UTF-8.
        case invalidUTF8
        /// A line is longer than this number of bytes.
        case longLine(limit: Int)
        /// A line repeats the id of an earlier line.
        case duplicateID(UUID, firstLine: Int)

        /// The file has a different number of lines below its header than the header says, for example because it was
        /// cut off at the end of a line.
        case miscounted(found: Int, expected: Int)

        /// The file names a different format.
        case foreignFormat(String)
        /// The file was written by another version of the program.
        case foreignVersion(Int, supported: Int)
        /// There is no such file.
        case notFound
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
        /// The folder of the file is gone.
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
    }

    /// What happened.
    public let reason: Reason

    /// The path of the file or folder concerned.
    public let file: String

    /// The number of the line concerned, starting at 1, or nil if no single line is concerned.
    public let line: Int?

    /// Creates an error.
    public init(_ reason: Reason, file: String, line: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
    }
}

extension StorageError {
    /// Translates the error of a system call.
    init(_ error: SystemError, _ operation: Operation, file: String) {
        let reason: Reason =
            switch error.code {
            case EACCES, EPERM, EROFS: .noPermission(operation)
            case ENOSPC, EDQUOT: .diskFull
            case EISDIR: .notAFile
            case SystemError.danglingLink.code: .danglingLink
            case SystemError.vanished.code: .folderVanished
            case SystemError.tooLarge.code: .tooLarge
            default: .system(operation, code: error.code)
            }
        self.init(reason, file: file)
    }
}

extension StorageError: CustomStringConvertible {
    /// The file, followed by the line if there is one, in the format of compilers: `items.jsonl:17`.
    public var place: String { line.map { "\(file):\($0)" } ?? file }

    /// What happened, in one sentence, without the place.
    public var explanation: String {
        switch reason {
        case .damaged(let what): "The file is damaged: \(what)."
        case .damagedLine(let what): "The line is damaged: \(what)."
        case .invalidUTF8: "The line is not valid UTF-8 text."
        case .longLine(let limit): "The line is too long: it can have \(limit.formatted()) bytes at most."
        case .duplicateID(let id, let first): "The id \(id.uuidString.lowercased()) is already used in line \(first)."
        case .miscounted(let found, let expected):
            "The first line counts \(expected.formatted()) lines below it; the file has \(found.formatted())."
        case .foreignFormat(let found): "The file is of another kind: its format is “\(found)”."
        case .foreignVersion(let found, let supported):
            "The file has version \(found) of the format; this program reads version \(supported)."
        case .notFound: "There is no such file."
        case .notAFile: "A file should be here, but this is something else."
        case .danglingLink: "This is a symbolic link to a file that doesn't exist."
        case .tooLarge: "The file is too large: this program reads and writes no file of that size."
        case .noPermission(let operation): "Permission denied: can't \(operation.infinitive)."
        case .diskFull: "The disk is full."
        case .locked(let waited):
            "Another process has been using the file for \(waited.formatted(.units(allowed: [.seconds])))."
        case .cancelled: "The work was cancelled."
        case .folderVanished: "The folder is gone."
        case .system(let operation, let code):
            "Can't \(operation.infinitive): \(String(cString: strerror(code))) (error \(code))."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String {
        switch reason {
        case .damaged: "The file has been left untouched: mend it in a text editor, or remove it to begin without it."
        case .invalidUTF8: "The file has been left untouched: save it as UTF-8, or remove that line."
        case .damagedLine, .duplicateID:
            "The file has been left untouched: mend or remove that line in a text editor, or put back a copy."
        case .miscounted:
            "The file has been left untouched: put back a copy or, if nothing is missing, correct “count” in that line."
        case .foreignFormat: "The file has been left untouched: choose another data folder."
        case .foreignVersion: "The file has been left untouched: use the version of the program that wrote it."
        case .longLine: "Break the line, then go on from there."
        case .notFound: "Check the path."
        case .notAFile: "Move it away, or choose another path."
        case .danglingLink:
            "Put the file back where the link leads, for example by mounting its disk, or remove the link."
        case .tooLarge: "The file has been left untouched: make it smaller, or move it away."
        case .noPermission: "Ask its owner for access, or choose another path."
        case .diskFull: "Nothing has been changed: make room, then try again."
        case .locked: "Try again when the other process has finished, or end it if it hangs."
        case .cancelled: "Nothing has been changed: try again."
        case .folderVanished: "Put it back."
        case .system: "Fix the cause, then try again."
        }
    }

    /// The place, the explanation, and the advice in one line.
    public var description: String { "\(place): \(explanation) \(advice)" }
}

extension StorageError.Operation {
    fileprivate var infinitive: String {
        switch self {
        case .folder: "use the folder"
        case .read: "read the file"
        case .write: "write the file"
        case .lock: "lock the file"
        }
    }
}
