import Relux
import SampleServices

extension Pets {
    /// Opens pages, as a ``Command`` asks for it: one after the other, so that each sees what the one before has
    /// opened.
    struct Opener: Relux.Saga {
        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws {
            switch command {
            case .open(let id):
                let top = try await context.state(of: Navigation.Stack.self).top
                // In one step: a page is never seen without its load on the way.
                await context.dispatch {
                    if top != .pet(id) { Navigation.Stack.Action.push(.pet(id)) }
                    Effect.load(.pet(id))
                }
            }
        }
    }
}
