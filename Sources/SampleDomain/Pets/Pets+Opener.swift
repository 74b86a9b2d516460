import Relux
import SampleServices

extension Pets {
    /// Opens pages, as requested by a ``Command``. Commands run one after the other, so that each sees the pages opened
    /// before.
    struct Opener: Relux.Saga {
        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            switch command {
            case .open(let id):
                let top = try await context.state(of: Navigation.Stack.self).top
                // One batch, so that a page is never visible without its load.
                await context.dispatch {
                    if top != .pet(id) { Navigation.Stack.Action.push(.pet(id)) }
                    Effect.load(.pet(id))
                }
            }
        }
    }
}
