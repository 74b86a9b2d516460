import Relux
import SampleDomain
import SampleServices

/// Deleting many items at once.
extension ItemsRunner {
    /// Asks where that is needed, and deletes.
    func sweep(_ sweep: Sweep, isAgreed: Bool, on store: Relux.Store) async throws -> ExitStatus {
        if isAgreed { return try await carryOut(sweep == .all ? .deleteAll : .clearCompleted, on: store) }
        guard let list = try await readList(on: store) else { return .failure }
        let asked = sweep == .all ? list.all : list.completed
        if !asked.isEmpty {
            let question = Question(text: Texts.question(sweep, asked.count), console: console)
            guard await question.isAnsweredWithYes() else {
                console.error(Texts.nothingDeleted + "\n")
                return .failure
            }
            // Others may have changed the list meanwhile. What is deleted is what the question was about, and no more.
            guard try await readList(on: store) != nil else { return .failure }
        }
        return try await carryOut(sweep == .all ? .deleteAsked(asked) : .clearAsked(asked), on: store)
    }

    /// The list as it is now; nil where it can't be read, which is told.
    private func readList(on store: Relux.Store) async throws -> Items.List? {
        try await store.perform(Items.Effect.load)
        let state = try await store.state(of: Items.State.self)
        if let failure = state.loading.failure { console.complain(Texts.explain(failure)) }
        return state.loading.failure == nil ? state.list : nil
    }
}
