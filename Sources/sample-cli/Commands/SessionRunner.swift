import Relux
import SampleDomain
import SampleServices

/// Reads or changes the session with a store, and shows the result.
struct SessionRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let options: ItemsOptions

    /// Carries out a command.
    func run(_ command: Session.Command) async -> ExitStatus {
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) { workspace.session }
            if let failure = try await workspace.open(on: store) { return complain(failure) }
            let profile: Profile?
            do {
                profile = try await store.call(command)
            } catch let failure as ProfileServiceError {
                return complain(failure)
            }
            if options.isJSON {
                let json = SessionJSON(command, profile: profile, folder: profile?.folder ?? workspace.folder)
                console.print([try json.line()])
            } else {
                console.print([Texts.describe(profile).visible])
            }
            return .success
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    private func complain(_ failure: ProfileServiceError) -> ExitStatus {
        console.complain(Texts.explain(failure), as: failure.code)
        return .failure
    }
}
