import SampleDomain

/// The commands for the presence of users.
extension CommandTable {
    private static let name = OperandSpec(name: "NAME", count: .many, explanation: Texts.nameOperand)

    static let users = CommandSpec(
        name: "users",
        summary: Texts.usersSummary,
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: Texts.usersListSummary, notes: [Texts.usersJSONNote]) {
                try await UsersRunner($0).list()
            },
            passage("arrive", Texts.usersArriveSummary, Users.Command.arrive),
            passage("leave", Texts.usersLeaveSummary, Users.Command.leave),
        ],
        notes: [Texts.usersJSONNote]
    )

    private static func passage(
        _ word: String,
        _ summary: String,
        _ command: @escaping @Sendable (String) -> Users.Command
    ) -> CommandSpec {
        CommandSpec(name: word, summary: summary, operands: [name], notes: [Texts.usersNameNote]) {
            try await UsersRunner($0).carryOut(command($0.arguments.text(from: 0)))
        }
    }
}
