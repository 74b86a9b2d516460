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

extension Users.State {
    /// A state that knows these users.
    static func knowing(_ users: User..., damages: [UsersServiceError] = [], revision: Int = 1) -> Users.State {
        Users.State().after(.changed(UsersSnapshot(users: users, damages: damages, revision: revision)))
    }

    /// The state after some more actions.
    func after(_ actions: Action...) -> Users.State {
        var copy = self
        for action in actions { copy.reduce(action) }
        return copy
    }

    /// The state after reading these users.
    func after(_ revision: Int, _ users: User..., damages: [UsersServiceError] = []) -> Users.State {
        after(.changed(UsersSnapshot(users: users, damages: damages, revision: revision)))
    }
}

extension UsersServiceError {
    static let gone = UsersServiceError(.folderVanished, file: "users")
    static let garbage = UsersServiceError(.damaged("it is no JSON object"), file: "users/ann.json")
}
