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
    case items(Work, StorageError)
    /// A failure of the settings.
    case settings(Work, StorageError)
    /// The session can't be read or changed.
    case session(StorageError)
    /// Changes made to the session elsewhere can't be read.
    case sessionElsewhere(StorageError)
    /// The catalogue of pets could not be loaded.
    case pets(PetsServiceError)
    /// The pet whose page is visible could not be loaded.
    case petPage(PetPage.Module.ID, PetsServiceError)
    /// The presence of users can't be read.
    case users(StorageError)

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

    /// All current troubles, those with imminent data loss first.
    public static func all(in states: borrowing Relux.StateReader) -> [Trouble] {
        let items = states[Items.State.self].map(troubles) ?? []
        let settings = states[Settings.State.self].map(troubles) ?? []
        let session = states[Session.State.self].map(troubles) ?? []
        let pets = (states[Pets.State.self]?.catalogue.failure).map { [Trouble.pets($0)] } ?? []
        let page = PetPage.visible(in: states).flatMap(trouble)
        let users = (states[Users.State.self]?.roster.failure).map { [Trouble.users($0)] } ?? []
        let all = session + items + settings + users + pets + (page.map { [$0] } ?? [])
        return all.filter(\.isLossAhead) + all.filter { !$0.isLossAhead }
    }

    private static func troubles(of state: Session.State) -> [Trouble] {
        // The same failure of a command and of following changes is reported only once.
        let elsewhere = state.elsewhereFailure == state.failure ? nil : state.elsewhereFailure
        return [state.failure.map(Trouble.session), elsewhere.map(Trouble.sessionElsewhere)].compactMap(\.self)
    }

    private static func troubles(of state: Items.State) -> [Trouble] {
        // A step that can't be recorded prevents the save of its change, which is reported only once.
        let historyFailure = state.historyFailure == state.saving.failure ? nil : state.historyFailure
        let failures: [(Work, StorageError?)] = [
            (.saving, state.saving.failure), (.reading, state.loading.failure),
            (.following, state.elsewhereFailure), (.remembering, historyFailure),
        ]
        return failures.compactMap { work, failure in failure.map { .items(work, $0) } }
    }

    private static func troubles(of state: Settings.State) -> [Trouble] {
        let failures: [(Work, StorageError?)] = [
            (.saving, state.saving.failure), (.reading, state.loading.failure), (.following, state.elsewhereFailure),
        ]
        return failures.compactMap { work, failure in failure.map { .settings(work, $0) } }
    }

    /// The failure of a page. That of a covered page is no trouble until the user goes back to it.
    private static func trouble(of page: (id: PetPage.Module.ID, state: PetPage.State)) -> Trouble? {
        page.state.pet.failure.map { .petPage(page.id, $0) }
    }
}
