import Relux
import SampleServices

extension Session {
    /// Lets the other features carry out what was commanded, and save it, before somebody leaves; but not for ever.
    ///
    /// - Ordering: Everything that was commanded before is carried out first. Only then it is known what isn't saved.
    struct LastSaves: Sendable {
        let patience: Duration

        /// Whether commands of the session are waited for as well: not where one of them is what has to wait.
        var waitsForSession = false

        /// Waits for the commands, then has everything saved.
        ///
        /// - Returns: Whether nothing is lost. A command that still waits when the patience is over is lost.
        nonisolated(nonsending) func make(in context: Relux.SagaContext) async throws -> Bool {
            do {
                return try await context.timeout(after: patience) { context in
                    let present = await Belongings(presentIn: context)
                    await context.actions(.concurrently) {
                        if present.session, waitsForSession { Session.Command.catchUp }
                        if present.items { Items.Command.catchUp }
                        if present.settings { Settings.Command.catchUp }
                    }
                    let unsaved = await Belongings(unsavedIn: context)
                    await context.actions(.concurrently) {
                        if unsaved.items { Items.Effect.save }
                        if unsaved.settings { Settings.Effect.save }
                    }
                    return await Belongings(unsavedIn: context).isEmpty
                }
            } catch is Relux.TimeoutError {
                // What isn't saved by now never will be.
                return false
            }
        }
    }

    /// Features whose data are somebody's own, and the session itself.
    struct Belongings: Sendable {
        let items: Bool
        let settings: Bool
        let session: Bool

        var isEmpty: Bool { !items && !settings && !session }

        /// Those that are there.
        nonisolated(nonsending) init(presentIn context: Relux.SagaContext) async {
            (items, settings, session) = await context.read { states in
                (
                    states[Items.State.self] != nil, states[Settings.State.self] != nil,
                    states[Session.State.self] != nil
                )
            }
        }

        /// Those that have something that isn't saved. What is changed of a session is saved at once.
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
