public import SampleServices

extension Users {
    /// One difference between two states of the users.
    public enum Change: Sendable, Hashable {
        /// A user came online, possibly again if the departure wasn't observed.
        case arrived(User)
        /// A user went offline, possibly again if the arrival wasn't observed.
        case left(User)
        /// A user who is offline became known.
        case appeared(User)
        /// A user is no longer known.
        case vanished(User)
        /// A user was renamed.
        case renamed(User, from: String)
        /// Something can't be read and may hide a user.
        case damaged(UsersServiceError)
        /// Something that couldn't be read no longer hides anything.
        case mended(UsersServiceError)
    }
}

extension Users.State {
    /// The differences between two states.
    ///
    /// - Returns: The users who vanished, in the order of the earlier state, then all others, in the order of this one,
    ///   then what was mended, and then what was damaged.
    /// - Complexity: O(*n*) in the number of users.
    public func changes(since former: Users.State) -> [Users.Change] {
        let (before, now) = (former.roster.value ?? Users.Roster(), roster.value ?? Users.Roster())
        let gone = before.all.filter { now[$0.id] == nil }.map(Users.Change.vanished)
        let others = now.all.compactMap { user in
            guard let known = before[user.id] else {
                return user.presence == .online ? Users.Change.arrived(user) : .appeared(user)
            }
            if known.presence != user.presence || known.since != user.since {
                return user.presence == .online ? .arrived(user) : .left(user)
            }
            return known.name == user.name ? nil : .renamed(user, from: known.name)
        }
        let inTheWay = Set(damages.map(\.file))
        let mended = former.damages.filter { !inTheWay.contains($0.file) }.map(Users.Change.mended)
        let damaged = damages.filter { !former.damages.contains($0) }.map(Users.Change.damaged)
        return gone + others + mended + damaged
    }
}
