import Relux
import SampleServices

extension Filter {
    /// Moves items among those that are seen, one after the other.
    struct Stepper: Relux.Flow {
        func policy(for step: Step) -> Relux.Policy { .serial }

        func run(_ step: Step, in context: Relux.SagaContext) async throws {
            let items = try await context.state(of: Items.State.self)
            let active = items.list.active
            // What isn't active is for the list to refuse, which knows why.
            guard let index = active.firstIndex(where: { $0.id == step.id }) else {
                try await context.perform(Items.Command.move(.id(step.id), position: 1))
                return
            }
            let isSeen = { (index: Int) in items.filter.finds(active[index].title) }
            let target =
                switch step {
                case .up: active[..<index].indices.last(where: isSeen)
                case .down: active[(index + 1)...].indices.first(where: isSeen)
                }
            if let target { try await context.perform(Items.Command.move(.id(step.id), position: target + 1)) }
        }
    }
}

extension Filter.Step {
    /// Which item is moved.
    fileprivate var id: Item.ID {
        switch self {
        case .up(let id), .down(let id): id
        }
    }
}
