public import Relux
public import SampleServices

/// A failure in a feature that hasn't been resolved yet.
///
/// - Owns: nothing. Each feature keeps its failures in its own state, and ``all(in:)`` selects them.
/// - Takes: ``Command``, to retry, and ``Departure``, before the user leaves the program.
/// - Sets off: the effects of the features that have failed, and their last saves.
public enum Trouble: Sendable, Equatable {
    /// The work that failed.
    public enum Work: Sendable, Hashable {
        /// Reading stored data.
        case reading
        /// Storing changes.
        case saving
        /// Following changes made elsewhere.
        case following
        /// Reading or storing the undo history.
        case remembering
    }

    /// A failure of the list.
    case items(Work, ItemsServiceError)
    /// A failure of the settings.
    case settings(Work, ProfileServiceError)
    /// The session can't be read or changed.
    case session(ProfileServiceError)
    /// Changes made to the session elsewhere can't be read.
    case sessionElsewhere(ProfileServiceError)
    /// The catalogue of pets could not be loaded.
    case pets(PetsServiceError)
    /// The pet whose page is visible could not be loaded.
    case petPage(PetPage.Module.ID, PetsServiceError)
    /// The presence of users can't be read.
    case users(UsersServiceError)

    /// Whether a retry may succeed. Following changes made elsewhere either resumes automatically or never.
    public var mayPass: Bool {
        switch self {
        case .items(.following, _), .settings(.following, _), .sessionElsewhere: false
        case .items, .settings, .session, .pets, .petPage, .users: true
        }
    }

    /// Whether a user's changes will be lost unless something is done.
    public var isLossAhead: Bool {
        switch self {
        case .items(.saving, _), .settings(.saving, _): true
        case .items, .settings, .session, .sessionElsewhere, .pets, .petPage, .users: false
        }
    }
}

extension Trouble {
    /// What a user wants done about troubles.
    public enum Command: Relux.Effect, Hashable {
        /// Retries everything that may succeed. Performing it returns when all attempts have ended, successfully or
        /// not.
        case retry
    }

    /// A user's request to leave the program.
    ///
    /// Performing it carries out all earlier commands, and then lets the features save their unsaved changes, within a
    /// time limit. It returns whether everything was saved. If the profile changes in the meantime, the departure is
    /// cancelled like all other work and must be performed again.
    public enum Departure: Relux.Effect, Hashable {
        /// Whether everything was saved.
        public typealias Output = Bool

        /// Prepares for leaving by saving all unsaved changes.
        case prepare
    }
}
