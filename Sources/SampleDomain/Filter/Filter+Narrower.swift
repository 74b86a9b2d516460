import Relux

extension Filter {
    /// Tells the list of a text once it has settled.
    struct Narrower: Relux.Saga {
        let quietTime: Duration

        /// An empty text supersedes one that is settling: both share one line.
        func policy(for effect: Effect) -> Relux.Policy {
            switch effect {
            case .narrow(let text): Items.Query(text).isEmpty ? .latest : .debounce(quietTime)
            }
        }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect {
            case .narrow(let text): await context.dispatch(Items.State.Action.filtered(text))
            }
        }
    }
}
