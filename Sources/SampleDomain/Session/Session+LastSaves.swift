import Relux
import SampleServices

extension Session {
    /// How long the last commands and saves may take.
    public static let patience: Duration = .seconds(5)

    /// Gives the other features a limited time to carry out their commands and save the results before a profile
    /// leaves.
    ///
    /// - Ordering: All earlier commands are carried out first. Only then is it known what is unsaved.
    struct LastSaves: Sendable {
        let patience: Duration

        /// Whether to wait for the commands of the session as well. Must be false within a session command, which would
        /// wait for itself.
        var waitsForSession = false

        /// Waits for all commands, then saves everything.
        ///
        /// - Returns: Whether everything was saved. Commands that are still waiting when the time is up are lost.
        nonisolated(nonsending) func make(in context: Relux.SagaContext) async throws -> Bool {
            do {
                return try await context.timeout(after: patience) { context in
                    let present = await context.read { states in
                        (
                            session: states[Session.State.self] != nil, items: states[Items.State.self] != nil,
                            settings: states[Settings.State.self] != nil
                        )
                    }
                    await context.actions(.concurrently) {
                        if present.session, waitsForSession { Session.Command.catchUp }
                        if present.items { Items.Command.catchUp }
                        if present.settings { Settings.Command.catchUp }
                    }
                    while true {
                        let unsaved = await Self.unsaved(in: context)
                        let result = await context.actions(.concurrently) {
                            if unsaved.items { Items.Effect.save }
                            if unsaved.settings { Settings.Effect.save }
                        }
                        // The save of a newer change may have superseded this one.
                        if case .cancelled = result, !Task.isCancelled { continue }
                        return await Self.unsaved(in: context) == (false, false)
                    }
                }
            } catch is Relux.TimeoutError {
                // Anything unsaved at this point will never be saved.
                return false
            }
        }

        /// Which of the features that own data of a profile have unsaved changes.
        private nonisolated(nonsending) static func unsaved(
            in context: Relux.SagaContext
        ) async -> (items: Bool, settings: Bool) {
            await context.read { states in
                (
                    states[Items.State.self]?.hasUnsavedChanges == true,
                    states[Settings.State.self]?.hasUnsavedChanges == true
                )
            }
        }
    }
}
