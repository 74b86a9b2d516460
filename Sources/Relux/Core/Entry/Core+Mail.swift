/// The mail of the core: what is handed over without waiting.
extension Core {
    /// What to do inside: to take an action that was sent, for example.
    typealias Mail = @Sendable (isolated Core) -> Void

    /// Hands something over without waiting.
    nonisolated func post(_ mail: @escaping Mail) {
        guard mailbox.post(mail) else { return }
        // Detached: the collection inherits neither the priority nor the task-local values of this poster.
        Task.detached(executorPreference: carrier) {
            await self.enter(as: .outside) { core, _ in core.deliverMail(isCollection: true) }
        }
    }

    /// Delivers what has been posted, in order, each with the cleanups that it leads to.
    ///
    /// What user code posts meanwhile waits for the next visit.
    func deliverMail(isCollection: Bool = false) {
        guard mailbox.isOccupied || isCollection else { return }
        isDeliveringMail = true
        defer { isDeliveringMail = false }
        for mail in mailbox.collect(isCollection: isCollection) {
            mail(self)
            cleanUp()
        }
    }
}
