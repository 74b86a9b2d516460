import Relux
import SampleServices

extension Items {
    /// Carries out commands, one after the other.
    struct Editor: Relux.Flow {
        let source: Source

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Outcome {
            var state = try await command.needsList ? context.loadedItems() : context.state(of: State.self)
            if command.needsHistory { state = try await context.itemsWithHistory(state) }
            let decision = try state.decide(command, at: source.now(), newID: source.makeID())
            // One batch, so that a changed list always has a save under way.
            await context.dispatch {
                for action in decision.actions { action }
                if decision.isStep, decision.changesList { State.Action.stepped(source.makeID()) }
                if decision.changesList { Effect.save }
            }
            return decision.outcome(try await context.state(of: State.self).list)
        }
    }
}

extension Items.Command {
    /// Whether the list must be read before the command can be decided.
    fileprivate var needsList: Bool {
        if case .catchUp = self { false } else { true }
    }

    /// Whether the history must be read before the command can be decided.
    fileprivate var needsHistory: Bool {
        switch self {
        case .undo, .redo: true
        default: false
        }
    }
}
