import Foundation

extension UsersServiceError: CustomStringConvertible {
    /// What happened, in one sentence, without the place.
    public var explanation: String {
        switch reason {
        case .damaged(let what): "The file is damaged: \(what)."
        case .foreignVersion(let found, let supported):
            "The file has version \(found) of the format; this program reads version \(supported)."
        case .notAFile: "A file should be here, but this is something else."
        case .unknown(let name): "Nobody called “\(name)” has ever been here."
        case .noPermission(let operation): "Permission denied: can't \(operation.infinitive)."
        case .diskFull: "The disk is full."
        case .locked(let waited):
            "Another process has been letting somebody in or out for \(waited.formatted(.units(allowed: [.seconds])))."
        case .cancelled: "The work was cancelled."
        case .folderVanished: "The folder is gone."
        case .system(let operation, let code):
            "Can't \(operation.infinitive): \(String(cString: strerror(code))) (error \(code))."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String {
        switch reason {
        case .damaged: "Mend or remove the file; everybody else is shown all the same."
        case .foreignVersion:
            "Use the version of the program that wrote it; everybody else is shown all the same."
        case .notAFile: "Move it away, or choose another folder."
        case .unknown: "Look for the name in the list of users."
        case .noPermission: "Ask its owner for access, or choose another folder."
        case .diskFull: "Nothing has been changed: make room, then try again."
        case .locked: "Try again when the other process has finished, or end it if it hangs."
        case .cancelled: "Nothing has been changed: try again."
        case .folderVanished: "Put it back, then start again."
        case .system: "See to the cause, then try again."
        }
    }

    /// The place, the explanation, and the advice in one line.
    public var description: String { "\(file): \(explanation) \(advice)" }
}

extension UsersServiceError.Operation {
    fileprivate var infinitive: String {
        switch self {
        case .folder: "use the folder of the users"
        case .read: "read the file"
        case .write: "write the file"
        case .lock: "lock the folder of the users"
        case .watch: "watch the folder of the users"
        }
    }
}
