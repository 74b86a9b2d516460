import Relux
import SampleServices

extension Items {
    /// Reads and saves, as an ``Effect`` asks for it.
    ///
    /// - Ordering: One load and one save at a time. A save takes everything that isn't saved when it begins, and goes
    ///   on until nothing is left: what is changed while one is on its way is taken along by the same run.
    /// - Cancellation: The state is told; what wasn't saved stays unsaved.
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

        /// Lets the history be saved, where it is kept: only after the list, so that no step stands in it whose changes
        /// are nowhere.
        private func saveHistory(in context: Relux.SagaContext) async {
            let changes = (try? await context.state(of: State.self).unsavedHistory) ?? []
            if !changes.isEmpty { await context.dispatch(HistoryEffect.save) }
        }

        private func save(in context: Relux.SagaContext) async throws {
            while true {
                // A cancelled run changes no state any more: without this it would find the same changes for ever.
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
