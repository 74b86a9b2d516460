import SampleDomain

enum Sweep: Sendable {
    case completed
    case all
}

extension ItemsRunner {
    /// Asks for confirmation if necessary, and deletes.
    func sweep(_ sweep: Sweep, isAgreed: Bool) async throws -> ExitStatus {
        let list = try await readList()
        let asked = sweep == .all ? list.all : list.completed
        if !isAgreed, !asked.isEmpty {
            guard await console.confirms(Texts.question(sweep, asked.count)) else {
                console.error(Texts.nothingDeleted + "\n")
                return .failure
            }
            // The list may have been changed elsewhere in the meantime. Only the items that the question was about are
            // deleted.
            _ = try await readList()
        }
        return try await carryOut(sweep == .all ? .deleteAsked(asked) : .clearAsked(asked))
    }
}
