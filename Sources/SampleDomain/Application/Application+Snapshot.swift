public import Relux

extension Application {
    /// What of all features can be watched, at one moment.
    public struct Snapshot: Sendable, Equatable {
        /// Who is signed in.
        public let session: Session.State

        /// The list of whoever is.
        public let items: Items.State

        /// The settings of whoever is.
        public let settings: Settings.State

        /// Who is there.
        public let users: Users.State

        /// Puts a snapshot together.
        ///
        /// - Parameters:
        ///   - session: Who is signed in.
        ///   - items: The list of whoever is.
        ///   - settings: The settings of whoever is.
        ///   - users: Who is there.
        public init(
            session: Session.State = Session.State(),
            items: Items.State = Items.State(),
            settings: Settings.State = Settings.State(),
            users: Users.State = Users.State()
        ) {
            (self.session, self.items, self.settings, self.users) = (session, items, settings, users)
        }

        /// Reads everything at one point of the store's order.
        ///
        /// - Parameter states: The states.
        /// - Throws: Which state no module owns.
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
    /// Whether the list has been read, by whatever way.
    var isListKnown: Bool { items.revision != nil }

    /// Whether the settings have been read, by whatever way.
    var areSettingsKnown: Bool { settings.revision != nil }

    /// What of a feature can't be read at present; nil where it isn't known yet whether it can.
    func problems(of feature: Application.Feature) -> [Application.Problem]? {
        let problems: [Application.Problem]
        let isKnown: Bool
        switch feature {
        case .session:
            problems = [session.elsewhereFailure ?? session.failure].compactMap { $0.map { .init($0, feature) } }
            isKnown = session.standing != .unknown
        case .items:
            let failure = items.elsewhereFailure ?? (isListKnown ? nil : items.loading.failure)
            problems = [failure].compactMap { $0.map { .init($0) } }
            isKnown = isListKnown
        case .settings:
            let failure = settings.elsewhereFailure ?? (areSettingsKnown ? nil : settings.loading.failure)
            problems = [failure].compactMap { $0.map { .init($0, feature) } }
            isKnown = areSettingsKnown
        case .users:
            problems = ([users.roster.failure].compactMap { $0 } + users.damages).map { .init($0) }
            isKnown = users.roster.value != nil
        }
        return isKnown || !problems.isEmpty ? problems : nil
    }
}
