public import Relux
import SampleServices

extension Application {
    /// The observable state of all features at one point in time.
    public struct Snapshot: Sendable, Equatable {
        /// The session.
        public let session: Session.State

        /// The list of the current profile.
        public let items: Items.State

        /// The settings of the current profile.
        public let settings: Settings.State

        /// The presence of users.
        public let users: Users.State

        /// Creates a snapshot from states.
        public init(
            session: Session.State = Session.State(),
            items: Items.State = Items.State(),
            settings: Settings.State = Settings.State(),
            users: Users.State = Users.State()
        ) {
            (self.session, self.items, self.settings, self.users) = (session, items, settings, users)
        }

        /// Reads all states at a single point in the store's order.
        ///
        /// - Throws: If no module owns one of the states.
        public init(_ states: borrowing Relux.StateReader) throws(Relux.StoreError) {
            self.init(
                session: try states.state(of: Session.State.self),
                items: try states.state(of: Items.State.self),
                settings: try states.state(of: Settings.State.self),
                users: try states.state(of: Users.State.self)
            )
        }
    }
}

extension Application.Snapshot {
    /// Whether the list has been read, by a load or from a change made elsewhere.
    var isListKnown: Bool { items.revision != nil }

    /// Whether the settings have been read, by a load or from a change made elsewhere.
    var areSettingsKnown: Bool { settings.revision != nil }

    /// What currently can't be read of a feature. The result is nil if it isn't known yet whether it can be read.
    func problems(of feature: Application.Feature) -> [Application.Problem]? {
        let failures: [StorageError?]
        let isKnown: Bool
        switch feature {
        case .session:
            failures = [session.elsewhereFailure ?? session.failure]
            isKnown = session.standing != .unknown
        case .items:
            failures = [items.elsewhereFailure ?? (isListKnown ? nil : items.loading.failure)]
            isKnown = isListKnown
        case .settings:
            failures = [settings.elsewhereFailure ?? (areSettingsKnown ? nil : settings.loading.failure)]
            isKnown = areSettingsKnown
        case .users:
            failures = [users.roster.failure] + users.damages
            isKnown = users.roster.value != nil
        }
        let problems = failures.compactMap { $0.map { Application.Problem($0, feature) } }
        return isKnown || !problems.isEmpty ? problems : nil
    }
}
