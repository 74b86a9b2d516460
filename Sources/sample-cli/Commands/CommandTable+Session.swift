import SampleDomain
import SampleServices

/// The commands for the session.
extension CommandTable {
    private static let profile = OperandSpec(name: "NAME", explanation: Texts.profileOperand)

    static let session = CommandSpec(
        name: "session",
        summary: Texts.sessionSummary,
        options: [data, json],
        subcommands: [
            command("login", Texts.loginSummary, [profile]) { (arguments) throws(UsageError) in
                do throws(ProfileNameError) {
                    return .signIn(try ProfileName(arguments.first))
                } catch {
                    throw .noName(error)
                }
            },
            command("logout", Texts.logoutSummary) { _ in .signOut },
            command("status", Texts.statusSummary) { _ in .restore },
        ],
        notes: [Texts.sessionNote, Texts.sessionJSONNote]
    )

    private static func command(
        _ name: String,
        _ summary: String,
        _ operands: [OperandSpec] = [],
        _ command: @escaping @Sendable (ParsedArguments) throws(UsageError) -> Session.Command
    ) -> CommandSpec {
        CommandSpec(name: name, summary: summary, operands: operands, notes: [Texts.sessionJSONNote]) {
            try await SessionRunner(invocation: $0).run(command($0.arguments))
        }
    }
}
