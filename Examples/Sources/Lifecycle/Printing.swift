import Relux
import ReluxPersistence

/// Prints documents, and keeps a list of what has been printed.
enum Printing {
    struct State: Relux.State, Codable, Hashable {
        var printed: [String] = []

        enum Action: Relux.Action, Hashable { case printed(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .printed(let document): printed.append(document)
            }
        }
    }

    struct Print: Relux.Effect, Hashable { let document: String }

    struct Saga: Relux.Saga {
        let printer: any Printer

        func run(_ effect: Print, in context: Relux.SagaContext) async throws {
            try await printer.print(effect.document)
            await context.dispatch(State.Action.printed(effect.document))
        }
    }

    struct Module: Relux.Module {
        let printer: any Printer
        let storage: any Relux.Storage

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Saga(printer: printer)] }
        var persistence: [any Relux.StatePersistence] { [Relux.Saved(State.self, as: "printing", in: storage)] }
    }
}

protocol Printer: Sendable {
    func print(_ document: String) async throws
}
