import SampleDomain
import SampleServices

/// The commands for the presence of users.
extension CommandTable {
    private static let name = OperandSpec(
        name: "NAME", isRepeated: true, explanation: "The name. Several words make one name.")

    static let users = CommandSpec(
        name: "users",
        summary: "Shows who is there, and records who arrives and leaves.",
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: "Shows who is online and who is offline, each by name.") {
                try await UsersRunner($0).list()
            },
            passage("arrive", "Notes that somebody is online.", Users.Command.arrive),
            passage("leave", "Notes that somebody is offline.", Users.Command.leave),
        ]
    )

    private static func passage(
        _ word: String, _ summary: String, _ command: @escaping @Sendable (String) -> Users.Command
    ) -> CommandSpec {
        let note = "A name has up to \(ProfileName.longest) characters. Upper and lower case don't matter."
        return CommandSpec(name: word, summary: summary, operands: [name], notes: [note]) {
            try await UsersRunner($0).carryOut(command($0.arguments.text(from: 0)))
        }
    }
}
