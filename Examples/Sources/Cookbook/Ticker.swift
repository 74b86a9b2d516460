import Relux

/// Counts the seconds of a meeting.
enum Ticker {
    struct State: Relux.State, Hashable {
        var seconds = 0

        enum Action: Relux.Action, Hashable { case ticked(seconds: Int) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .ticked(let seconds): self.seconds = seconds
            }
        }
    }

    struct Start: Relux.Effect, Hashable {}

    struct Stop: Relux.Action, Hashable {}

    struct Saga: Relux.Saga {
        let ring: @Sendable () async throws -> Void

        func policy(for start: Start) -> Relux.Policy { .leading.background }

        /// Each start begins at zero.
        func actionOnStart(_ start: Start) -> (any Relux.Action)? { State.Action.ticked(seconds: 0) }

        func run(_ start: Start, in context: Relux.SagaContext) async throws {
            let begin = context.now
            while true {
                // The next full second since the beginning, not a second from now.
                let passed = Int((context.now - begin) / .seconds(1))
                try await context.sleep(for: begin + .seconds(passed + 1) - context.now)
                await context.dispatch(State.Action.ticked(seconds: passed + 1))
                try await ring()
            }
        }
    }

    struct Module: Relux.Module {
        let ring: @Sendable () async throws -> Void

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] {
            [Saga(ring: ring), Relux.Reaction(to: Stop.self) { _, context in await context.cancel(Saga.self) }]
        }
    }
}
