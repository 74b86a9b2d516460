extension CommandTable {
    private static let name = OperandSpec(name: "NAME", count: .many, explanation: Texts.nameOperand)

    /// The commands for the presence of users.
    static let users = CommandSpec(
        name: "users",
        summary: Texts.usersSummary,
        options: [data, json],
        subcommands: [
            CommandSpec(
                name: "list",
                summary: Texts.usersListSummary,
                notes: [Texts.usersJSONNote]
            ) { .users(.list, usersOptions(of: $0)) },
            CommandSpec(
                name: "watch",
                summary: Texts.usersWatchSummary,
                notes: [Texts.usersWatchNote, Texts.usersJSONNote]
            ) { .users(.watch, usersOptions(of: $0)) },
            CommandSpec(
                name: "arrive",
                summary: Texts.usersArriveSummary,
                operands: [name],
                notes: [Texts.usersNameNote]
            ) { .users(.command(.arrive(name: $0.text(from: 0))), usersOptions(of: $0)) },
            CommandSpec(
                name: "leave",
                summary: Texts.usersLeaveSummary,
                operands: [name],
                notes: [Texts.usersNameNote]
            ) { .users(.command(.leave(name: $0.text(from: 0))), usersOptions(of: $0)) },
        ],
        notes: [Texts.usersJSONNote]
    )

    private static func usersOptions(of arguments: ParsedArguments) -> UsersOptions {
        UsersOptions(
            folder: arguments.options[data],
            isJSON: arguments.contains(json),
            isVerbose: arguments.contains(verbose)
        )
    }
}
