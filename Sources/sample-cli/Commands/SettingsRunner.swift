import Relux
import SampleDomain
import SampleServices

/// Shows or changes settings with a store.
struct SettingsRunner: Sendable {
    private let invocation: Invocation
    private let store: Relux.Store

    init(_ invocation: Invocation) async throws {
        self.invocation = invocation
        store = try await invocation.profileStore { door in
            let service = ProfileService(behind: door) { FileSettingsService(folder: $0) }
            return [Settings.Module(service: service, watchesElsewhere: false)]
        }
    }

    func list() async throws -> ExitStatus {
        try await store.perform(Settings.Effect.load)
        if let failure = try await store.state(of: Settings.State.self).loading.failure { throw failure }
        return try await show("listed")
    }

    func choose(_ setting: Settings.Setting) async throws -> ExitStatus {
        try await store.call(Settings.Command.choose(setting))
        // After this, the work that the command triggered has ended: the settings have been saved, or the state
        // contains the error.
        try await store.idle()
        if let failure = try await store.state(of: Settings.State.self).saving.failure {
            throw Complaint(Texts.unsaved(failure), as: failure.code)
        }
        return try await show("changed")
    }

    private func show(_ outcome: String) async throws -> ExitStatus {
        let table = try await store.read { try Settings.Table(in: $0) }
        try invocation.show(
            SettingsJSON(outcome, table), invocation.console.style.lines(of: table))
        return .success
    }
}
