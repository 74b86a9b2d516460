import SampleDomain
import SampleServices

/// An error with a code for scripts.
protocol CodedError: Error {
    /// A word that stays the same, whatever becomes of the message.
    var code: String { get }
}

extension UsageError: CodedError {
    var code: String { "usage" }
}

extension StorageError: CodedError {
    var code: String {
        switch reason {
        case .damaged, .damagedLine, .invalidUTF8, .longLine, .duplicateID, .miscounted: "damaged-file"
        case .foreignFormat: "foreign-format"
        case .foreignVersion: "foreign-version"
        case .notFound: "file-not-found"
        case .notAFile: "not-a-file"
        case .danglingLink: "dangling-link"
        case .tooLarge: "too-large"
        case .noPermission: "no-permission"
        case .diskFull: "disk-full"
        case .locked: "locked"
        case .cancelled: "cancelled"
        case .folderVanished: "folder-vanished"
        case .system: "system"
        }
    }
}

extension PetsServiceError: CodedError {
    var code: String {
        switch reason {
        case .offline: "offline"
        case .slow: "timeout"
        case .notFound: "unknown-pet"
        case .status: "http-status"
        case .malformed: "malformed-answer"
        case .untrusted: "untrusted-server"
        case .cancelled: "cancelled"
        }
    }
}
