import Relux

extension Filter {
    /// Lets a text count once it has settled.
    struct Narrower: Relux.Saga {
        let quietTime: Duration

        /// An empty text supersedes one that is settling: both share one line.
        func policy(for effect: Effect) -> Relux.Policy {
            switch effect {
            case .narrow(let text): Query(text).isEmpty ? .latest : .debounce(quietTime)
            }
        }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect {
            case .narrow(let text): await context.dispatch(State.Action.settled(text))
            }
        }
    }
}
