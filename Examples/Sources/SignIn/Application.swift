import Relux

/// Everything that the app consists of, as one module. Tests and previews pass services of their own.
enum Application {
    struct Module: Relux.Module {
        let sessions: any SessionService
        let profiles: any ProfileService

        var dependencies: [any Relux.Module] {
            [Session.Module(service: sessions), Profile.Module(service: profiles)]
        }
        var sagas: [any Relux.Saga] { [Welcome()] }
    }

    /// Connects two features that don't know each other: after a sign-in, the profile is loaded.
    struct Welcome: Relux.Saga {
        func run(_ action: Session.State.Action, in context: Relux.SagaContext) async throws {
            if case .signedIn = action { context.send(Profile.Load()) }
        }
    }
}
