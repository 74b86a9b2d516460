import SampleDomain
import SampleServices

extension CommandTable {
    private static let profile = OperandSpec(name: "NAME", explanation: Texts.profileOperand)

    /// The commands for the session.
    static let session = CommandSpec(
        name: "session",
        summary: Texts.sessionSummary,
        options: [data, json],
        subcommands: [
            CommandSpec(
                name: "login",
                summary: Texts.loginSummary,
                operands: [profile],
                notes: [Texts.sessionJSONNote]
            ) { (arguments) throws(UsageError) in
                do throws(ProfileNameError) {
                    return .session(.signIn(try ProfileName(arguments.first)), options(of: arguments))
                } catch {
                    throw .noName(error)
                }
            },
            CommandSpec(name: "logout", summary: Texts.logoutSummary, notes: [Texts.sessionJSONNote]) { arguments in
                .session(.signOut, options(of: arguments))
            },
            CommandSpec(name: "status", summary: Texts.statusSummary, notes: [Texts.sessionJSONNote]) { arguments in
                .session(.restore, options(of: arguments))
            },
        ],
        notes: [Texts.sessionNote, Texts.sessionJSONNote]
    )
}
