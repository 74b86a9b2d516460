public import Relux
import SampleServices

extension Items {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect {
        /// Reads the list. Unsaved changes are kept.
        case load

        /// Saves all unsaved changes. Every ``Command`` does this automatically. This effect is the retry after a
        /// failure.
        case save
    }

    /// Reads and saves, as requested by an ``Effect``.
    ///
    /// - Ordering: One load and one save at a time. Commands that need the list while it is being read share that load.
    ///   A save isn't shared, because it may have missed the last change: it takes everything that is unsaved when it
    ///   starts, and repeats until nothing is left. The history records a step before the list is saved, so that no
    ///   change is ever stored without its step: undoing would then revert an earlier one. What was undone is recorded
    ///   afterwards, for the same reason.
    /// - Cancellation: The state is updated. Unsaved changes stay unsaved.
    struct Sync: Relux.Saga {
        let service: any ItemsService

        func policy(for effect: Effect) -> Relux.Policy {
            switch effect {
            case .load: .shared(id: effect)
            case .save: .serial(id: effect)
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
                if error.reason == .cancelled { throw CancellationError() }
                await context.dispatch(State.Action.loadFailed(error))
            }
        }

        /// Saves new steps before the list is saved.
        ///
        /// A history that can't be read doesn't prevent changes of the list. It is set aside, and a new one begins with
        /// this step.
        ///
        /// - Returns: Why the steps couldn't be saved, or nil. The list must not be saved without them.
        private func recordSteps(in context: Relux.SagaContext) async throws -> StorageError? {
            guard try await context.state(of: State.self).hasUnsavedSteps else { return nil }
            try await context.perform(HistoryEffect.save)
            guard let failure = try await context.state(of: State.self).historyFailure else { return nil }
            guard failure.isUnreadable else { return failure }
            try await context.perform(HistoryEffect.setAside)
            try await context.perform(HistoryEffect.save)
            return try await context.state(of: State.self).historyFailure
        }

        /// Requests a save of the history if there is something to save.
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
                if let failure = try await recordSteps(in: context) {
                    await context.dispatch(State.Action.saveFailed(failure))
                    return
                }
                do throws(StorageError) {
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

extension StorageError {
    /// Whether the file itself is the problem, so that trying again is pointless.
    fileprivate var isUnreadable: Bool {
        switch reason {
        case .damaged, .damagedLine, .invalidUTF8, .longLine, .duplicateID, .miscounted, .foreignFormat,
            .foreignVersion,
            .notAFile, .tooLarge, .noPermission(.read):
            true
        case .notFound, .danglingLink, .noPermission, .diskFull, .locked, .cancelled, .folderVanished, .system: false
        }
    }
}
