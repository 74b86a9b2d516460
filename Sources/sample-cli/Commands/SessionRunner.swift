import SampleDomain
import SampleServices

/// Reads or changes the session with a store, and shows the result.
struct SessionRunner: Sendable {
    let invocation: Invocation

    func run(_ command: Session.Command) async throws -> ExitStatus {
        let store = try await invocation.profileStore()
        let profile = try await store.call(command)
        try invocation.show(
            SessionJSON(command, profile: profile, folder: profile?.folder ?? invocation.folder),
            [Texts.describe(profile).visible])
        return .success
    }
}
