import Relux

/// Counts searches: a second state that changes with the same action.
enum Tally {
    struct State: Relux.State {
        typealias Action = Never

        var count = 0
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] { [.init(of: State.self, on: Finder.Find.self) { state, _ in state.count += 1 }] }
    }
}

/// A flow that dispatches a note, pauses, and then returns a value.
enum Quiz {
    struct Ask: Relux.Effect, Hashable {
        typealias Output = Int

        var number = 1
    }

    enum Note: Relux.Action, Hashable {
        case asked(Int)
    }

    struct Failure: Error {}

    struct Flow: Relux.Flow {
        func run(_ trigger: Ask, in context: Relux.SagaContext) async throws -> Int {
            guard trigger.number > 0 else { throw Failure() }
            await context.dispatch(Note.asked(trigger.number))
            try await context.sleep(for: .seconds(1))
            return trigger.number * 2
        }
    }

    /// Reduces the notes, so that they are not unhandled.
    struct State: Relux.State {
        typealias Action = Note

        var last = 0

        mutating func reduce(_ action: Note) {
            switch action {
            case .asked(let number): last = number
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var flows: [any Relux.Flow] { [Flow()] }
    }
}
