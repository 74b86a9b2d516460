import Relux
import SampleServices

extension Items {
    /// Carries out commands, one after the other.
    struct Editor: Relux.Flow {
        let source: Source

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Outcome {
            var state = try await loadedState(in: context)
            if command.needsHistory { state = try await stateWithHistory(state, in: context) }
            let decision = try state.decide(command, at: source.now(), newID: source.makeID())
            // In one step: a change that is on the list always has its save on the way.
            await context.dispatch {
                for action in decision.actions { action }
                if decision.isStep, decision.changesList { State.Action.stepped(source.makeID()) }
                if decision.changesList { Effect.save }
            }
            return decision.outcome(try await context.state(of: State.self).list)
        }

        /// The state once the list has been read: nothing is decided about a list that isn't known.
        private func loadedState(in context: Relux.SagaContext) async throws -> State {
            let state = try await context.state(of: State.self)
            if state.isLoaded { return state }
            try await context.perform(Effect.load)
            let loaded = try await context.state(of: State.self)
            if !loaded.isLoaded, let failure = loaded.loading.failure { throw ItemsError.notLoaded(failure) }
            return loaded
        }

        /// The state once its history has been read, where it is kept.
        private func stateWithHistory(_ state: State, in context: Relux.SagaContext) async throws -> State {
            if !state.isHistoryKept || state.isHistoryLoaded { return state }
            try await context.perform(HistoryEffect.load)
            let loaded = try await context.state(of: State.self)
            if !loaded.isHistoryLoaded, let failure = loaded.historyFailure { throw ItemsError.noHistory(failure) }
            return loaded
        }
    }
}

extension Items.Command {
    /// Whether nothing can be decided about it without the steps that came before.
    fileprivate var needsHistory: Bool {
        switch self {
        case .undo, .redo: true
        default: false
        }
    }
}
