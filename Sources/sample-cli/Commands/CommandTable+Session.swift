import SampleDomain
import SampleServices

/// The commands for the settings, and for who is signed in.
extension CommandTable {
    private enum Word: String, CaseIterable {
        case displayName = "display-name"
        case listName = "list-name"
        case theme
    }

    private static let name = OperandSpec(name: "NAME", explanation: "display-name, list-name or theme.")
    private static let value = OperandSpec(
        name: "VALUE", isRepeated: true, explanation: #"A text, or "" for none; for the theme, pilbara or collaroy."#)
    private static let profile = OperandSpec(
        name: "NAME", isRepeated: true,
        explanation: "The profile's name, with up to \(Profile.longestName) characters.")

    static let settings = CommandSpec(
        name: "settings",
        summary: "Shows and changes the settings.",
        options: [data, json],
        subcommands: [
            CommandSpec(name: "list", summary: "Shows the settings, and who is signed in.") {
                try await AccountRunner($0).showSettings()
            },
            CommandSpec(name: "set", summary: "Changes one setting, and shows all of them.", operands: [name, value]) {
                let setting = try setting($0.arguments)
                let account = try await AccountRunner($0)
                await account.scope.dispatch(Settings.State.Action.chosen(setting))
                try await account.store.saved()
                return try await account.showSettings()
            },
        ]
    )

    private static func setting(_ arguments: ParsedArguments) throws(UsageError) -> Settings.Setting {
        let text = arguments.text(from: 1)
        return switch try name.choice(arguments.first, of: Word.self) {
        case .displayName: .displayName(text)
        case .listName: .listName(text)
        case .theme: .theme(try value.choice(text, of: UserSettings.Theme.self))
        }
    }

    static let session = CommandSpec(
        name: "session",
        summary: "Shows and changes who is signed in: whose list and settings the other commands use.",
        options: [data, json],
        subcommands: [
            CommandSpec(name: "login", summary: "Signs in, and signs out anybody else.", operands: [profile]) {
                let profile: Profile
                do throws(ProfileNameError) {
                    profile = try Profile(name: $0.arguments.text(from: 0))
                } catch {
                    throw UsageError.noName(error)
                }
                return try await signIn($0, as: profile)
            },
            CommandSpec(name: "logout", summary: "Signs out. The profile and its data stay.") {
                try await signIn($0, as: .guest)
            },
            CommandSpec(name: "status", summary: "Shows who is signed in.") { try await signIn($0, as: nil) },
        ]
    )

    private static func signIn(_ invocation: Invocation, as profile: Profile?) async throws -> ExitStatus {
        let store = try await invocation.store { Session.Module(storage: invocation.storage) }
        if let profile { try await store.call(Session.SignIn(profile)) }
        let present = try await store.state(of: Session.State.self).profile
        return try invocation.show(["profile": present.name], [Texts.describe(present)])
    }
}
