import SampleDomain
import SampleServices

/// The commands for the session.
extension CommandTable {
    private static let profile = OperandSpec(
        name: "NAME", explanation: "The profile's name: up to \(ProfileName.longest) characters, no slashes.")

    static let session = CommandSpec(
        name: "session",
        summary: "Shows and changes who is signed in: whose list and settings the other commands use.",
        options: [data, json],
        subcommands: [
            command("login", "Signs in, in place of whoever is signed in. A new profile is created.", [profile]) {
                (arguments) throws(UsageError) in
                do throws(ProfileNameError) {
                    return .signIn(try ProfileName(arguments.first))
                } catch {
                    throw .noName(error)
                }
            },
            command("logout", "Signs out. The profile and its data stay.") { _ in .signOut },
            command("status", "Shows who is signed in.") { _ in .restore },
        ],
        notes: ["Each profile has a folder of its own, profiles/NAME in the data folder."]
    )

    private static func command(
        _ name: String,
        _ summary: String,
        _ operands: [OperandSpec] = [],
        _ command: @escaping @Sendable (ParsedArguments) throws(UsageError) -> Session.Command
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary, operands: operands) {
            try await SessionRunner(invocation: $0).run(command($0.arguments))
        }
    }
}
