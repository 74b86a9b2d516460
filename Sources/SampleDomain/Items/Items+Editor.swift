import Relux
import SampleServices

extension Items {
    /// Carries out commands, one after the other.
    struct Editor: Relux.Flow {
        let source: Source

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Outcome {
            let state = try await loadedState(in: context)
            let decision = try state.decide(command, at: source.now(), newID: source.makeID())
            // In one step: a change that is on the list always has its save on the way.
            await context.dispatch {
                for action in decision.actions { action }
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
    }
}
