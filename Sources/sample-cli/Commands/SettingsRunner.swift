import Relux
import SampleDomain
import SampleServices

/// Shows or changes settings with a store.
struct SettingsRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let options: ItemsOptions

    /// Carries out a request.
    func run(_ request: SettingsRequest) async -> ExitStatus {
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) {
                workspace.session
                Settings.Module(service: ProfileSettingsService(behind: workspace.door), watchesElsewhere: false)
            }
            if let failure = try await workspace.open(on: store) {
                return complain(Texts.explain(failure), as: failure.code)
            }
            return switch request {
            case .list: try await list(on: store)
            case .choose(let setting): try await choose(setting, on: store)
            }
        } catch {
            return complain([Texts.unexpected(error)], as: "unexpected")
        }
    }

    private func list(on store: Relux.Store) async throws -> ExitStatus {
        try await store.perform(Settings.Effect.load)
        if let failure = try await store.state(of: Settings.State.self).loading.failure {
            return complain(Texts.explain(failure), as: failure.code)
        }
        try show(.listed, try await table(in: store))
        return .success
    }

    private func choose(_ setting: Settings.Setting, on store: Relux.Store) async throws -> ExitStatus {
        do {
            try await store.call(Settings.Command.choose(setting))
        } catch let failure as SettingsError {
            return complain([Texts.explain(failure)], as: failure.code)
        }
        // After this, the work that the command triggered has ended: the settings have been saved, or the state
        // contains the error.
        try await store.idle()
        if let failure = try await store.state(of: Settings.State.self).saving.failure {
            return complain(Texts.unsaved(failure), as: failure.code)
        }
        try show(.changed, try await table(in: store))
        return .success
    }

    private func table(in store: Relux.Store) async throws -> Settings.Table {
        try await store.read { states in
            Settings.Table(
                of: try states.state(of: Settings.State.self),
                try states.state(of: Settings.Appearance.self),
                profile: try states.state(of: Session.State.self).profile?.name
            )
        }
    }

    private func show(_ outcome: SettingsJSON.Outcome, _ table: Settings.Table) throws {
        if options.isJSON {
            console.print([try SettingsJSON(outcome, table).line()])
        } else {
            console.print(SettingsRenderer(style: console.style).lines(of: table))
        }
    }

    private func complain(_ lines: [String], as code: String) -> ExitStatus {
        console.complain(lines, as: code)
        return .failure
    }
}
