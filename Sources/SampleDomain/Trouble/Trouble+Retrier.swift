import Relux
import SampleServices

extension Trouble {
    /// Tries again, across all features, of which it knows only the vocabulary.
    struct Retrier: Relux.Saga {
        func policy(for command: Command) -> Relux.Policy { .leading }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            switch command {
            case .retry:
                let (troubles, isHistoryUnsaved) = await context.read { states in
                    (Trouble.all(in: states), states[Items.State.self]?.unsavedHistory.isEmpty == false)
                }
                // How each of them goes is told by its feature's state.
                _ = await context.actions(.concurrently) {
                    for trouble in troubles where trouble.mayPass {
                        switch trouble {
                        case .items(.saving, _): Items.Effect.save
                        // To save it tells what is stored as well.
                        case .items(.remembering, _): isHistoryUnsaved ? Items.HistoryEffect.save : .load
                        case .items: Items.Effect.load
                        case .settings(.saving, _): Settings.Effect.save
                        case .settings: Settings.Effect.load
                        case .session, .sessionElsewhere: Session.Command.restore
                        case .pets(let subject, _): Pets.Effect.load(subject)
                        case .users: Users.Effect.load
                        }
                    }
                }
            }
        }
    }
}
