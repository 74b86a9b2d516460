import Relux
import SampleServices

extension Items {
    /// Reads and saves, as requested by an ``Effect``.
    ///
    /// - Ordering: One load and one save at a time. A save takes everything that is unsaved when it starts, and repeats
    ///   until nothing is left. Changes made while it runs are therefore saved by the same run.
    /// - Cancellation: The state is updated. Unsaved changes stay unsaved.
    struct Sync: Relux.Saga {
        let service: any ItemsService

        func policy(for effect: Effect) -> Relux.Policy { .serial(id: effect) }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? {
            switch effect {
            case .load: State.Action.loadCancelled
            case .save: State.Action.saveCancelled
            }
        }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect {
            case .load: try await load(in: context)
            case .save: try await save(in: context)
            }
        }

        private func load(in context: Relux.SagaContext) async throws {
            do throws(ItemsServiceError) {
                let snapshot = try await service.load()
                await context.dispatch(State.Action.loaded(snapshot))
            } catch {
                if error.reason == .cancelled { throw CancellationError() }
                await context.dispatch(State.Action.loadFailed(error))
            }
        }

        /// Requests a save of the history if there is something to save. The history is saved only after the list, so
        /// that it never contains a step whose changes aren't stored.
        private func saveHistory(in context: Relux.SagaContext) async {
            let changes = (try? await context.state(of: State.self).unsavedHistory) ?? []
            if !changes.isEmpty { await context.dispatch(HistoryEffect.save) }
        }

        private func save(in context: Relux.SagaContext) async throws {
            while true {
                // A cancelled run can't change the state. Without this check it would find the same changes forever.
                try Task.checkCancellation()
                let changes = try await context.state(of: State.self).unsavedChanges
                if changes.isEmpty { return await saveHistory(in: context) }
                await context.dispatch(State.Action.saveStarted)
                do throws(ItemsServiceError) {
                    let snapshot = try await service.save(changes)
                    await context.dispatch(State.Action.saved(changes, snapshot))
                } catch {
                    if error.reason == .cancelled { throw CancellationError() }
                    await context.dispatch(State.Action.saveFailed(error))
                    return
                }
            }
        }
    }
}
