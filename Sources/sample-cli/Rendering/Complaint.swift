import SampleDomain
import SampleServices

/// Why a command has failed, for people and for scripts.
struct Complaint: Error {
    let lines: [String]
    let code: String

    init(_ lines: [String], as code: String) {
        (self.lines, self.code) = (lines, code)
    }

    init(_ line: String, as code: String) {
        self.init([line], as: code)
    }

    init(_ error: StorageError) {
        self.init(Texts.explain(error), as: error.code)
    }

    /// Puts an error that has ended a command into words.
    init(of error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let error as StorageError: self.init(error)
        case let error as UsersError: self = Texts.complaint(error)
        case let error as SettingsError: self = Texts.complaint(error)
        default: self.init(Texts.unexpected(error), as: "unexpected")
        }
    }
}

/// An error, as Docs/Sample.md describes it, on standard error.
struct ErrorJSON: JSONLine {
    let code: String
    let message: String

    init(code: String, lines: [String]) {
        self.code = code
        message = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
    }
}
