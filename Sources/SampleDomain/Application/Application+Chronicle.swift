public import SampleServices

extension Application {
    /// Remembers what has been reported so far, and derives the changes to report for the next snapshot. A pure value.
    ///
    /// It can be given every snapshot or only some of them. Whatever happens to one thing between two snapshots is
    /// merged into one change, and no difference in the result is left out. Snapshots taken while the profile is
    /// changing, or while its data haven't been read yet, produce no changes. When a profile signs in again, its data
    /// are compared with what they were when it signed out. For a profile seen for the first time, the existing data
    /// are the baseline, whose size is reported as ``Entrance/count``.
    public struct Chronicle: Sendable {
        private struct Belongings {
            var list: Items.List?
            var settings: Settings.State?
        }

        /// The profile whose data are reported.
        private var owner: Session.State.Standing = .unknown
        private var belongings: [Session.State.Standing: Belongings] = [:]
        private var users: Users.State?
        private var problems: [Feature: [Problem]] = [:]

        /// Creates a chronicle that has reported nothing yet.
        public init() {}

        /// The profile that is signed in, according to the last report, or nil for none.
        public var profile: Profile? { if case .signedIn(let profile) = owner { profile } else { nil } }

        /// Returns the changes since the last report, and remembers them as reported.
        ///
        /// - Returns: A change of profile first, then changes of items, settings, and users, and finally what can't be
        ///   read or can be read again.
        /// - Complexity: O(*n* log *n*) in the number of items and users.
        public mutating func changes(to snapshot: Snapshot) -> [Change] {
            let entrance = entrance(in: snapshot)
            let areDataThere = snapshot.session.standing == owner && owner != .unknown
            let data = areDataThere ? listChanges(to: snapshot) + settingsChanges(to: snapshot) : []
            let isTelling = owner != .unknown || snapshot.problems(of: .session)?.isEmpty == false
            let people = usersChanges(to: snapshot.users, isTelling: isTelling)
            var troubles: [Change] = []
            for feature in Feature.allCases where areDataThere || feature == .session || feature == .users && isTelling
            {
                troubles += problemChanges(to: snapshot.problems(of: feature), of: feature)
            }
            return entrance + data + people + troubles
        }
    }
}

extension Application.Chronicle {
    private mutating func entrance(in snapshot: Application.Snapshot) -> [Application.Change] {
        let standing = snapshot.session.standing
        let isFirst = owner == .unknown
        let needed: [Application.Feature] = isFirst ? [.items, .settings, .users] : [.items, .settings]
        let isReady = needed.allSatisfy { snapshot.problems(of: $0) != nil }
        guard standing != .unknown, standing != owner, isReady else { return [] }
        owner = standing
        // The problems of the previous profile don't concern the new one.
        (problems[.items], problems[.settings]) = (nil, nil)
        let entrance = Application.Entrance(
            profile: profile, count: snapshot.isListKnown ? snapshot.items.list.count : nil, isFirst: isFirst
        )
        return [.entered(entrance)]
    }

    private mutating func listChanges(to snapshot: Application.Snapshot) -> [Application.Change] {
        guard snapshot.isListKnown else { return [] }
        let list = snapshot.items.list
        let former = belongings[owner, default: Belongings()].list
        belongings[owner, default: Belongings()].list = list
        return former.map { list.changes(since: $0).map(Application.Change.items) } ?? []
    }

    private mutating func settingsChanges(to snapshot: Application.Snapshot) -> [Application.Change] {
        guard snapshot.areSettingsKnown else { return [] }
        let former = belongings[owner, default: Belongings()].settings
        belongings[owner, default: Belongings()].settings = snapshot.settings
        return former.map { snapshot.settings.changes(since: $0).map(Application.Change.settings) } ?? []
    }

    private mutating func usersChanges(to state: Users.State, isTelling: Bool) -> [Application.Change] {
        guard state.roster.value != nil else { return [] }
        guard let former = users else {
            users = state
            return []
        }
        guard isTelling else { return [] }
        users = state
        return state.changes(since: former).compactMap { change in
            switch change {
            case .arrived, .left, .appeared, .vanished, .renamed: .users(change)
            case .damaged, .mended: nil
            }
        }
    }

    private mutating func problemChanges(
        to present: [Application.Problem]?,
        of feature: Application.Feature
    ) -> [Application.Change] {
        guard let present else { return [] }
        let former = problems[feature] ?? []
        problems[feature] = present
        let places = Set(present.map(\.place))
        return former.filter { !places.contains($0.place) }.map(Application.Change.mended)
            + present.filter { !former.contains($0) }.map(Application.Change.damaged)
    }
}
