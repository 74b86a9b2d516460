public import SampleServices

/// Something that went wrong in a feature, and is still so.
///
/// Each feature keeps its failures in its own state, beside what they are about. A front end that has one place for all
/// of them selects ``all(in:)``, registers ``Module``, and performs ``Command/retry`` when somebody asks for
/// another try.
public enum Trouble: Sendable, Equatable {
    /// What could not be done.
    public enum Work: Sendable, Hashable {
        /// Reading what is stored.
        case reading
        /// Storing what was changed.
        case saving
        /// Seeing what others change.
        case following
        /// Reading or storing what can be undone.
        case remembering
    }

    /// Something with the list.
    case items(Work, ItemsServiceError)

    /// Something with the settings.
    case settings(Work, ProfileServiceError)

    /// It isn't known whose data they are, or could not be changed.
    case session(ProfileServiceError)

    /// What other processes write down about the session can't be read.
    case sessionElsewhere(ProfileServiceError)

    /// Pets, or one of them whose page is open, could not be loaded.
    case pets(Pets.Subject, PetsServiceError)

    /// It can't be seen who is there.
    case users(UsersServiceError)

    /// Whether another try may put it right. What others do is seen again by itself, or never.
    public var mayPass: Bool {
        switch self {
        case .items(.following, _), .settings(.following, _), .sessionElsewhere: false
        case .items, .settings, .session, .pets, .users: true
        }
    }

    /// Whether something that somebody has changed is lost where nothing is done about it.
    public var isLossAhead: Bool {
        switch self {
        case .items(.saving, _), .settings(.saving, _): true
        case .items, .settings, .session, .sessionElsewhere, .pets, .users: false
        }
    }
}
