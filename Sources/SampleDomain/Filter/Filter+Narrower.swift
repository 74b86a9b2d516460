import Relux

extension Filter {
    /// Applies the text to the list once it has settled.
    struct Narrower: Relux.Saga {
        let quietTime: Duration

        /// An empty text supersedes a pending one, because both policies share one id.
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
