import Foundation
import SampleDomain
import SampleServices

/// Users, as Docs/Sample.md describes them.
struct UsersJSON: JSONLine {
    private struct Row: Encodable {
        let id: String
        let name: String
        let presence: String
        let since: Date
    }

    private let outcome: String
    private let users: [Row]

    init(_ state: Users.State) {
        self.init("listed", state.roster.value?.all ?? [])
    }

    init(_ passage: Users.Passage) {
        let outcome = passage.user.presence == .online ? "arrived" : "left"
        self.init(passage.isNews ? outcome : "unchanged", [passage.user])
    }

    private init(_ outcome: String, _ users: [User]) {
        self.outcome = outcome
        self.users = users.map { Row(id: $0.id, name: $0.name, presence: $0.presence.rawValue, since: $0.since) }
    }
}
