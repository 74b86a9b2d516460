import SampleDomain
import SampleServices

/// Users in JSON, for scripts. Their format is part of the program's contract: see ``Texts/usersJSONNote``.
struct UsersJSON: JSONLine {
    /// What happened to the users.
    enum Outcome: String, Encodable {
        case listed, arrived, left, unchanged, appeared, vanished, renamed, damaged, mended
    }

    private let outcome: Outcome
    private let users: [UserJSON]
    private let problems: [Problem]

    /// All users.
    init(_ state: Users.State) {
        self.init(.listed, state.roster.value?.all ?? [], state.damages)
    }

    /// The result of a command.
    init(_ passage: Passage) {
        let outcome: Outcome = passage.user.presence == .online ? .arrived : .left
        self.init(passage.isNews ? outcome : .unchanged, [passage.user])
    }

    /// An observed change.
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
        self.users = users.map { UserJSON(user: $0) }
        problems = errors.map { Problem(file: $0.file, text: $0.explanation) }
    }

    private struct Problem: Encodable {
        let file: String
        let text: String
    }
}
