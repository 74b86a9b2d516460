import Relux
import SampleDomain

/// Deleting many items at once.
extension ItemsRunner {
    /// Asks where that is needed, and deletes.
    func sweep(_ sweep: Sweep, isAgreed: Bool, on store: Relux.Store) async throws -> ExitStatus {
        let command: Items.Command = sweep == .all ? .deleteAll : .clearCompleted
        if isAgreed { return try await carryOut(command, on: store) }
        try await store.perform(Items.Effect.load)
        let state = try await store.state(of: Items.State.self)
        if let failure = state.loading.failure {
            console.complain(Texts.explain(failure))
            return .failure
        }
        // What is deleted afterwards is what the question was about: the list isn't read again.
        let count = sweep == .all ? state.list.count : state.list.completed.count
        if count > 0, await !Question(text: Texts.question(sweep, count), console: console).isAnsweredWithYes() {
            console.error(Texts.nothingDeleted + "\n")
            return .failure
        }
        return try await carryOut(command, on: store)
    }
}
