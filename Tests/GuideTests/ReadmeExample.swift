import Relux
import ReluxTesting
import Testing

extension Notes {
    struct Note: Sendable, Equatable {
        let text: String
    }
}

protocol NotesService: Sendable {
    func notes() async throws -> [Notes.Note]
}

// README: A feature and its test
enum Notes {
    struct State: Relux.State {
        var notes: [Note] = []

        enum Action: Relux.Action, Equatable { case loaded([Note]) }

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

@Suite("README.md, its feature", .timeLimit(.minutes(10)))
struct ReadmeFeatureTests {
    private struct InstantNotes: NotesService {
        let notes: [Notes.Note]

        func notes() async throws -> [Notes.Note] { notes }
    }

    private let milk = Notes.Note(text: "Milk")

    // README: A test states
    @Test("loading shows the notes")
    func loading() async throws {
        let store = try await TestStore { Notes.Module(service: InstantNotes(notes: [milk])) }

        await store.dispatch(Notes.Effect.load)
        await store.receive(.loaded([milk]), in: Notes.State.self) { $0.notes = [milk] }
        await store.finish()
    }
    // End
}

/// What the README does with the feature.
enum ReadmeExample {
    static func use(_ service: any NotesService, print: (Int) -> Void) async throws -> Notes.State {
        // README: An app uses it
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
