import Relux
import SampleServices

extension Settings {
    /// Reads and saves, as requested by an ``Effect``.
    ///
    /// - Ordering: One load and one save at a time. Callers share a load. A save takes everything that is unsaved when
    ///   it starts. What changes in the meantime requests another one, and of those that wait, one is enough.
    /// - Cancellation: The state is updated. Unsaved changes stay unsaved.
    struct Sync: Relux.Saga {
        let service: any SettingsService

        func policy(for effect: Effect) -> Relux.Policy {
            switch effect {
            case .load: .shared(id: effect)
            case .save: .conflated(id: effect)
            }
        }

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
            do throws(StorageError) {
                let snapshot = try await service.load()
                await context.dispatch(State.Action.loaded(snapshot))
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.loadFailed(error))
            }
        }

        private func save(in context: Relux.SagaContext) async throws {
            guard try await context.state(of: State.self).hasUnsavedChanges else { return }
            await context.dispatch(State.Action.saveStarted)
            let changes = try await context.state(of: State.self).sending
            do throws(StorageError) {
                await context.dispatch(State.Action.saved(try await service.save(changes)))
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.saveFailed(error))
            }
        }
    }
}
