public import SampleServices

extension Users {
    /// What makes one state of the users different from another.
    public enum Change: Sendable, Hashable {
        /// A user is there now. That may be anew, where the going went by unseen.
        case arrived(User)

        /// A user isn't there any more. That may be anew, where the coming went by unseen.
        case left(User)

        /// A user is known now who isn't there.
        case appeared(User)

        /// A user is not known any more.
        case vanished(User)

        /// A user is called something else now.
        case renamed(User, from: String)

        /// Something can't be read, and so may hide a user.
        case damaged(UsersServiceError)

        /// Something that couldn't be read isn't in the way any more.
        case mended(UsersServiceError)
    }
}

extension Users.State {
    /// What has changed between two states.
    ///
    /// - Parameter former: The earlier state.
    /// - Returns: Who is gone, in the order of the earlier state; then the others, in the order of this one; then what
    ///   is damaged or mended.
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
