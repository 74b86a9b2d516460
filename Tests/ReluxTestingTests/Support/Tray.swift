import Relux
import ReluxTesting

/// A feature whose state follows its runs by hooks, and whose runs end with their last action.
enum Tray {
    struct State: Relux.State {
        enum Action: Relux.Action, Hashable { case began, dropped, cancelled, failed, loaded(Int), opened }

        var isLoading = false
        var items: [Int] = []
        var isOpen = false

        mutating func reduce(_ action: Action) {
            switch action {
            case .began: isLoading = true
            case .dropped: break
            case .cancelled, .failed: isLoading = false
            case .loaded(let item):
                isLoading = false
                items.append(item)
            case .opened: isOpen = true
            }
        }
    }

    struct Load: Relux.Effect, Hashable {
        var item = 0
    }

    struct Answer: Relux.Action, Hashable {
        let item: Int
    }

    struct Failure: Error {}

    struct Loader: Relux.Saga {
        /// Whether the run awaits an answer.
        var awaitsAnswer = false
        /// What the body does after its last action.
        var afterwards: @Sendable (Relux.SagaContext) async throws -> Void = { _ in }

        var listens: [any Relux.Action.Type] { [Answer.self] }
        func policy(for load: Load) -> Relux.Policy { .leading }
        func actionOnStart(_ load: Load) -> (any Relux.Action)? { State.Action.began }
        func actionOnDrop(_ load: Load) -> (any Relux.Action)? { State.Action.dropped }
        func actionOnCancel(_ load: Load) -> (any Relux.Action)? { State.Action.cancelled }
        func actionOnFailure(_ load: Load, _ error: any Error) -> (any Relux.Action)? { State.Action.failed }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            if load.item < 0 { throw Failure() }
            if awaitsAnswer {
                await context.finish(with: State.Action.loaded(try await context.first(of: Answer.self).item))
            } else {
                try await context.sleep(for: .seconds(1))
                await context.finish(with: State.Action.loaded(load.item))
            }
            try await afterwards(context)
        }
    }

    struct Module: Relux.Module {
        var loader = Loader()
        var opens = false
        var watchers: [any Relux.Watcher] = []
        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [loader] }
        var openingActions: [any Relux.Action] { opens ? [State.Action.opened] : [] }
    }
}
