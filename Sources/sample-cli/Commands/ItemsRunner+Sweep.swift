import Relux
import SampleDomain
import SampleServices

/// Deleting many items at once.
extension ItemsRunner {
    /// Asks for confirmation if necessary, and deletes.
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
            // The list may have been changed elsewhere in the meantime. Only the items that the question was about are
            // deleted.
            guard try await readList(on: store) != nil else { return .failure }
        }
        return try await carryOut(sweep == .all ? .deleteAsked(asked) : .clearAsked(asked), on: store)
    }

    /// The current list, or nil if it can't be read, in which case the error is printed.
    private func readList(on store: Relux.Store) async throws -> Items.List? {
        try await store.perform(Items.Effect.load)
        let state = try await store.state(of: Items.State.self)
        if let failure = state.loading.failure { console.complain(Texts.explain(failure), as: failure.code) }
        return state.loading.failure == nil ? state.list : nil
    }
}
