import Foundation
import SampleServices

@testable import SampleDomain

extension User {
    /// An online user whose id is derived from the name.
    static func here(_ name: String, since: Int = 0) -> User {
        User(id: name.lowercased(), name: name, presence: .online, since: .sample(since))
    }

    /// An offline user whose id is derived from the name.
    static func away(_ name: String, since: Int = 0) -> User {
        User(id: name.lowercased(), name: name, presence: .offline, since: .sample(since))
    }
}

extension UserDirectory.Change {
    /// A user arrives.
    static func here(_ name: String, since: Int = 0) throws -> Self {
        .arrive(try ProfileName(name), at: .sample(since))
    }

    /// A user leaves.
    static func away(_ name: String, since: Int = 0) throws -> Self {
        .leave(try ProfileName(name), at: .sample(since))
    }
}

extension Snapshot<UserDirectory> {
    init(users: [User], revision: Int) {
        self.init(UserDirectory(users), revision: revision)
    }
}

extension Users.State {
    /// A state that knows these users.
    static func knowing(_ users: User..., revision: Int = 1) -> Users.State {
        Users.State().after(.changed(Snapshot(users: users, revision: revision)))
    }

    /// The state after some more actions.
    func after(_ actions: Action...) -> Users.State {
        var copy = self
        for action in actions { copy.reduce(action) }
        return copy
    }

    /// The state after reading these users.
    func after(_ revision: Int, _ users: User...) -> Users.State {
        after(.changed(Snapshot(users: users, revision: revision)))
    }

    /// All users in their order.
    var all: [User] { roster.value?.all ?? [] }

    /// The section of a user, or nil if there is no such user.
    func section(of id: User.ID) -> Users.Section? {
        Users.Section.allCases.first { roster.value?.users(in: $0)[id: id] != nil }
    }
}

extension StorageError {
    static let gone = StorageError(.folderVanished, file: "users")
}
