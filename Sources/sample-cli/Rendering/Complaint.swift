import Relux
import ReluxPersistence
import SampleDomain
import SampleServices

/// Why a command has failed, for people and for scripts.
struct Complaint: Error {
    /// Sentences that say what happened and what to do.
    let lines: [String]
    /// A word that stays the same, whatever becomes of the message.
    let code: String

    init(_ lines: [String], as code: String) { (self.lines, self.code) = (lines, code) }

    /// Puts an error that has ended a command into words.
    init(of error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let error as Items.Refused: self.init([Texts.explain(error)], as: "refused")
        case let error as PetsServiceError:
            self.init(["\(error.place): \(error.explanation)".visible, error.advice.visible], as: "unavailable")
        case let error as PresenceError: self.init([error.description], as: "unavailable")
        case Relux.StoreError.notLoaded(_, let failure): self.init(Texts.explain(failure), as: "unreadable")
        case is Relux.StorageError: self.init(Texts.unsaved(error), as: "unsaved")
        default: self.init(Texts.unexpected(error), as: "unexpected")
        }
    }
}
