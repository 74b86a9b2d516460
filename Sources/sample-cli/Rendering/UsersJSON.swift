import Foundation
import SampleDomain
import SampleServices

/// Shows users to a script. The shape is part of the program's contract: see ``Texts/usersJSONNote``.
struct UsersJSON: Encodable {
    /// What the users are.
    enum Outcome: String, Encodable {
        case listed, arrived, left, unchanged, appeared, vanished, renamed, damaged, mended
    }

    private let outcome: Outcome
    private let users: [Row]
    private let problems: [Problem]

    /// Everybody.
    init(_ state: Users.State) {
        self.init(.listed, state.roster.value?.all ?? [], state.damages)
    }

    /// What became of a command.
    init(_ passage: Passage) {
        let outcome: Outcome = passage.user.presence == .online ? .arrived : .left
        self.init(passage.isNews ? outcome : .unchanged, [passage.user])
    }

    /// A change that was seen.
    init(_ change: Users.Change) {
        switch change {
        case .arrived(let user): self.init(.arrived, [user])
        case .left(let user): self.init(.left, [user])
        case .appeared(let user): self.init(.appeared, [user])
        case .vanished(let user): self.init(.vanished, [user])
        case .renamed(let user, _): self.init(.renamed, [user])
        case .damaged(let error): self.init(.damaged, [], [error])
        case .mended(let error): self.init(.mended, [], [error])
        }
    }

    private init(_ outcome: Outcome, _ users: [User], _ errors: [UsersServiceError] = []) {
        self.outcome = outcome
        self.users = users.map { Row(user: $0) }
        problems = errors.map { Problem(file: $0.file, text: $0.explanation) }
    }

    /// The object in one line.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self).escapingControls
    }

    private struct Problem: Encodable {
        let file: String
        let text: String
    }

    private struct Row: Encodable {
        let user: User

        enum CodingKeys: String, CodingKey {
            case id, name, presence, since
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(user.id, forKey: .id)
            try container.encode(user.name, forKey: .name)
            try container.encode(user.presence.rawValue, forKey: .presence)
            // Half a millisecond more, because the style cuts off instead of rounding.
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            try container.encode(style.format(user.since.addingTimeInterval(0.000_5)), forKey: .since)
        }
    }
}
