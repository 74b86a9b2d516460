public import Relux
import SampleServices

extension Trouble {
    /// Retries and the last saves as a feature of an app. It owns no state.
    public struct Module: Relux.Module {
        private let patience: Duration

        /// Creates the module.
        public init(patience: Duration = Session.patience) {
            self.patience = patience
        }

        /// Retrying.
        public var sagas: [any Relux.Saga] { [Retrier()] }

        /// The last saves.
        public var flows: [any Relux.Flow] { [Leaver(patience: patience)] }
    }

    /// Retries failed work across all features, of which it knows only the vocabulary.
    struct Retrier: Relux.Saga {
        func policy(for command: Command) -> Relux.Policy { .leading }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            switch command {
            case .retry:
                let (troubles, isHistoryUnsaved) = await context.read { states in
                    (Trouble.all(in: states), states[Items.State.self]?.unsavedHistory.isEmpty == false)
                }
                // The state of each feature reports the result.
                _ = await context.actions(.concurrently) {
                    for trouble in troubles where trouble.mayPass {
                        switch trouble {
                        case .items(.saving, _): Items.Effect.save
                        // Saving the history also returns the stored one.
                        case .items(.remembering, _): isHistoryUnsaved ? Items.HistoryEffect.save : .load
                        case .items: Items.Effect.load
                        case .settings(.saving, _): Settings.Effect.save
                        case .settings: Settings.Effect.load
                        case .session, .sessionElsewhere: Session.Command.restore
                        case .pets: Pets.Effect.load
                        case .petPage(let id, _): Relux.ChildAction(PetPage.Module.self, id: id, PetPage.Effect.load)
                        case .users: Users.Effect.load
                        }
                    }
                }
            }
        }
    }

    /// Lets the features save before the user leaves the program.
    struct Leaver: Relux.Flow {
        let patience: Duration

        func policy(for departure: Departure) -> Relux.Policy { .serial }

        func run(_ departure: Departure, in context: Relux.SagaContext) async throws -> Bool {
            try await Session.LastSaves(patience: patience, waitsForSession: true).make(in: context)
        }
    }
}
