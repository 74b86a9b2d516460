import Relux

extension Notes {
    struct Note: Sendable, Equatable {
        let text: String
    }
}

protocol NotesService: Sendable {
    func notes() async throws -> [Notes.Note]
}

// README: A feature
enum Notes {
    struct State: Relux.State {
        var notes: [Note] = []

        enum Action: Relux.Action { case loaded([Note]) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loaded(let notes): self.notes = notes
            }
        }
    }

    enum Effect: Relux.Effect { case load }

    struct Saga: Relux.Saga {
        let service: any NotesService

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            await context.dispatch(State.Action.loaded(try await service.notes()))
        }
    }

    struct Module: Relux.Module {
        let service: any NotesService
        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Saga(service: service)] }
    }
}
// End

/// What the README does with the feature.
enum ReadmeExample {
    static func use(_ service: any NotesService, print: (Int) -> Void) async throws -> Notes.State {
        // README: and is used like this
        let store = try await Relux.Store { Notes.Module(service: service) }

        // Returns when the saga has ended.
        try await store.perform(Notes.Effect.load)
        let state = try await store.state(of: Notes.State.self)

        // Now, and whenever it changes.
        for await count in store.values(of: Notes.State.self, { $0.notes.count }) {
            print(count)
        }
        // End
        return state
    }
}
