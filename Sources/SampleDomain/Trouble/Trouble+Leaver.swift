import Relux

extension Trouble {
    /// Lets the features save before the user leaves the program.
    struct Leaver: Relux.Flow {
        let patience: Duration

        func policy(for departure: Departure) -> Relux.Policy { .serial }

        func run(_ departure: Departure, in context: Relux.SagaContext) async throws -> Bool {
            try await Session.LastSaves(patience: patience, waitsForSession: true).make(in: context)
        }
    }
}
