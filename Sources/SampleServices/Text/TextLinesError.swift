import Foundation

/// Why a text can't be read any further: what happened, where, and what can be done about it.
public struct TextLinesError: Error, Equatable {
    /// What happened.
    public enum Reason: Sendable, Equatable {
        /// The file doesn't exist.
        case notFound
        /// The path leads to a folder.
        case folder
        /// The user has no permission to read the file.
        case noPermission
        /// A line is not valid UTF-8.
        case invalidUTF8
        /// A line is longer than this number of bytes.
        case longLine(limit: Int)
        /// The task was cancelled.
        case cancelled
        /// Any other failure of a system call, with its error number.
        case system(code: Int32)
    }

    /// What happened.
    public let reason: Reason

    /// The path of the file, or another name for the source of the text.
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

extension TextLinesError {
    init(_ error: SystemError, file: String) {
        let reason: Reason =
            switch error.code {
            case ENOENT, ENOTDIR: .notFound
            case EISDIR: .folder
            case EACCES, EPERM: .noPermission
            default: .system(code: error.code)
            }
        self.init(reason, file: file)
    }
}

extension TextLinesError: CustomStringConvertible {
    /// The file, followed by the line if there is one: `titles.txt:17`.
    public var place: String { line.map { "\(file):\($0)" } ?? file }

    /// What happened, in one sentence, without the place.
    public var explanation: String {
        switch reason {
        case .notFound: "There is no such file."
        case .folder: "This is a folder."
        case .noPermission: "Permission denied: can't read the file."
        case .invalidUTF8: "The line is not valid UTF-8 text."
        case .longLine(let limit): "The line is too long: it can have \(limit.formatted()) bytes at most."
        case .cancelled: "The work was cancelled."
        case .system(let code): "Can't read the file: \(String(cString: strerror(code))) (error \(code))."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String {
        switch reason {
        case .notFound: "Check the path."
        case .folder: "Choose a text file."
        case .noPermission: "Ask its owner for access."
        case .invalidUTF8: "Save the text as UTF-8, then go on from that line."
        case .longLine: "Break the line, then go on from there."
        case .cancelled: "Try again."
        case .system: "See to the cause, then try again."
        }
    }

    /// The place, the explanation, and the advice in one line.
    public var description: String { "\(place): \(explanation) \(advice)" }
}
