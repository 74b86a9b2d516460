import Foundation

/// Why a text can't be read any further: what happened, where, and what can be done about it.
public struct TextLinesError: Error, Equatable {
    /// What happened.
    public enum Reason: Sendable, Equatable {
        /// There is no such file.
        case notFound

        /// There is a folder, and no file.
        case folder

        /// The user may not read it.
        case noPermission

        /// A line holds bytes that are no UTF-8.
        case invalidUTF8

        /// A line is longer than this many bytes.
        case longLine(limit: Int)

        /// The task was cancelled.
        case cancelled

        /// Anything else that the system refused, with its error number.
        case system(code: Int32)
    }

    /// What happened.
    public let reason: Reason

    /// The path of the file, or another name of where the text comes from.
    public let file: String

    /// The line in question, counted from 1, where there is one.
    public let line: Int?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - file: The path of the file, or another name of where the text comes from.
    ///   - line: The line in question, counted from 1, or nil.
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
    /// The file, and the line where there is one: `titles.txt:17`.
    public var place: String { line.map { "\(file):\($0)" } ?? file }

    /// What happened, in one sentence without the place.
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

    /// What a person can do about it, in one sentence.
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

    /// Place, explanation and advice in one line.
    public var description: String { "\(place): \(explanation) \(advice)" }
}
