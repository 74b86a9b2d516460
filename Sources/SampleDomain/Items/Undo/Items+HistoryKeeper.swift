import Relux
public import SampleServices

extension Items {
    /// Work with the history service. Commands request it automatically.
    enum HistoryEffect: Relux.Effect {
        /// Reads the history.
        case load
        /// Saves the unsaved changes of the history.
        case save
        /// Keeps a history that can't be read under another name, so that a new one begins.
        case setAside
    }

    /// A history that couldn't be read and is kept under another name.
    public struct FormerHistory: Sendable, Equatable {
        /// The path of the file.
        public let file: String

        /// Why it couldn't be read.
        public let cause: StorageError
    }

    /// Reads and saves the history, one request at a time. The list doesn't depend on its success.
    struct HistoryKeeper: Relux.Saga {
        let service: any ItemsHistoryService

        func policy(for effect: HistoryEffect) -> Relux.Policy { .serial }

        func run(_ effect: HistoryEffect, in context: Relux.SagaContext) async throws {
            do throws(StorageError) {
                switch effect {
                case .load: await context.dispatch(State.Action.historyLoaded(try await service.load().value))
                case .save: try await save(in: context)
                case .setAside: try await setAside(in: context)
                }
            } catch {
                if error.reason == .cancelled { throw CancellationError() }
                await context.dispatch(State.Action.historyFailed(error))
            }
        }

        private func setAside(in context: Relux.SagaContext) async throws(StorageError) {
            let cause = (try? await context.state(of: State.self).historyFailure) ?? nil
            guard let cause, let file = try await service.setAside() else { return }
            await context.dispatch(State.Action.historySetAside(FormerHistory(file: file, cause: cause)))
        }

        private func save(in context: Relux.SagaContext) async throws(StorageError) {
            let changes = (try? await context.state(of: State.self).unsavedHistory) ?? []
            if changes.isEmpty { return }
            await context.dispatch(State.Action.historySaved(changes, try await service.save(changes).value))
        }
    }
}
