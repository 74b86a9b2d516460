import Relux
import SampleServices

extension Session {
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
                    let present = await Belongings(presentIn: context)
                    await context.actions(.concurrently) {
                        if present.session, waitsForSession { Session.Command.catchUp }
                        if present.items { Items.Command.catchUp }
                        if present.settings { Settings.Command.catchUp }
                    }
                    while true {
                        let unsaved = await Belongings(unsavedIn: context)
                        let result = await context.actions(.concurrently) {
                            if unsaved.items { Items.Effect.save }
                            if unsaved.settings { Settings.Effect.save }
                        }
                        // The save of a newer change may have superseded this one.
                        if case .cancelled = result, !Task.isCancelled { continue }
                        return await Belongings(unsavedIn: context).isEmpty
                    }
                }
            } catch is Relux.TimeoutError {
                // Anything unsaved at this point will never be saved.
                return false
            }
        }
    }

    /// The features that own data of a profile, and the session itself.
    struct Belongings: Sendable {
        let items: Bool
        let settings: Bool
        let session: Bool

        var isEmpty: Bool { !items && !settings && !session }

        /// The features that are registered.
        nonisolated(nonsending) init(presentIn context: Relux.SagaContext) async {
            (items, settings, session) = await context.read { states in
                (
                    states[Items.State.self] != nil, states[Settings.State.self] != nil,
                    states[Session.State.self] != nil
                )
            }
        }

        /// The features that have unsaved changes. The session never has any, because its changes are saved
        /// immediately.
        nonisolated(nonsending) init(unsavedIn context: Relux.SagaContext) async {
            (items, settings) = await context.read { states in
                (
                    states[Items.State.self]?.hasUnsavedChanges == true,
                    states[Settings.State.self]?.hasUnsavedChanges == true
                )
            }
            session = false
        }
    }
}
