import Relux
import SampleServices

extension Items {
    /// Gives the tutorial if it is due.
    ///
    /// - Ordering: The memory is written after the items have been saved. A program that is killed in between leaves a
    ///   list with these items, which doesn't count as new.
    struct Teacher: Relux.Flow {
        let service: any TutorialService
        let source: Source

        func policy(for effect: Tutorial) -> Relux.Policy { .serial }

        func run(_ effect: Tutorial, in context: Relux.SagaContext) async throws -> [Addition] {
            do {
                // In most cases this is sufficient. It needs neither a lock nor permission to write to the list's
                // folder.
                if effect == .offer, try await !mayBeDue(in: context) { return [] }
                let turn = try await service.begin()
                switch (effect, turn.memory) {
                case (.reset, _):
                    try await turn.end(remembering: .wanted)
                    return []
                case (.offer, .given): return []
                case (.offer, .untouched): return try await teach(effect, onlyIfNew: true, in: context, turn)
                case (.offer, .wanted), (.give, _): return try await teach(effect, onlyIfNew: false, in: context, turn)
                }
            } catch let error as ProfileServiceError {
                if error.reason == .cancelled { throw CancellationError() }
                throw error
            }
        }

        private func mayBeDue(in context: Relux.SagaContext) async throws -> Bool {
            switch try await service.memory() {
            case .given: false
            case .wanted: true
            // A list that has already been read isn't read again just to find that it isn't empty.
            case .untouched: try await isNew(context.loadedItems(), in: context)
            }
        }

        private func teach(
            _ effect: Tutorial,
            onlyIfNew: Bool,
            in context: Relux.SagaContext,
            _ turn: TutorialTurn
        ) async throws -> [Addition] {
            let state = try await freshItems(in: context)
            var additions: [Addition] = []
            let isDue = onlyIfNew ? try await isNew(state, in: context) : true
            if isDue {
                additions = Tutorial.items.filter { state.list[$0.id] == nil }
                await context.dispatch {
                    State.Action.taught(additions, wasAskedFor: effect == .give, at: source.now())
                    if effect == .give { State.Action.stepped(source.makeID()) }
                }
                try await context.perform(Effect.save)
                let saving = try await context.state(of: State.self).saving
                if let failure = saving.failure { throw ItemsError.notSaved(failure) }
            }
            try await turn.end(remembering: .given)
            return additions
        }

        /// Reads the current list, because another program may have had the previous turn.
        private func freshItems(in context: Relux.SagaContext) async throws -> State {
            try await context.perform(Effect.load)
            let state = try await context.state(of: State.self)
            if let failure = state.loading.failure { throw ItemsError.notLoaded(failure) }
            return state
        }

        /// Whether the list is empty and, according to its history, always was.
        private func isNew(_ state: State, in context: Relux.SagaContext) async throws -> Bool {
            guard state.list.count == 0 else { return false }
            let history = try await context.itemsWithHistory(state).history
            return history.done.isEmpty && history.undone.isEmpty
        }
    }
}
