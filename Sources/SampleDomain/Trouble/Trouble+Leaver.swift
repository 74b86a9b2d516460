import Relux
import SampleServices

extension Trouble {
    /// Lets the features save before somebody leaves, but not for ever.
    struct Leaver: Relux.Flow {
        let patience: Duration

        func policy(for departure: Departure) -> Relux.Policy { .serial }

        func run(_ departure: Departure, in context: Relux.SagaContext) async throws -> Bool {
            let unsaved = await unsaved(in: context)
            if !unsaved.items, !unsaved.settings { return true }
            do {
                _ = try await context.timeout(after: patience) { context in
                    await context.actions(.concurrently) {
                        if unsaved.items { Items.Effect.save }
                        if unsaved.settings { Settings.Effect.save }
                    }
                }
            } catch is Relux.TimeoutError {
                // What isn't saved by now never will be.
            }
            let left = await self.unsaved(in: context)
            return !left.items && !left.settings
        }

        private func unsaved(in context: Relux.SagaContext) async -> (items: Bool, settings: Bool) {
            await context.read { states in
                (
                    states[Items.State.self]?.hasUnsavedChanges == true,
                    states[Settings.State.self]?.hasUnsavedChanges == true
                )
            }
        }
    }
}
