/// The mail of the core: what is handed over without waiting.
extension Core {
    /// Hands something over without waiting.
    nonisolated func post(_ mail: consuming Mailbox.Mail) {
        guard mailbox.post(mail) else { return }
        // Detached: the collection inherits neither the priority nor the task-local values of this poster.
        Task.detached(executorPreference: carrier) {
            await self.enter(as: .outside) { core, _ in core.deliverMail(isCollection: true) }
        }
    }

    @inline(never)
    nonisolated func post(_ order: @escaping @Sendable (isolated Core) -> Void) {
        post(Mailbox.Mail(order))
    }

    /// Delivers what has been posted, in order.
    // inline(never): this would otherwise be copied into each verb.
    @inline(never)
    func deliverMail(isCollection: Bool = false) {
        isDeliveringMail = true
        defer { isDeliveringMail = false }
        mailbox.takeAll(isCollection: isCollection) { mail in
            deliver(mail.action, as: mail.origin, at: mail.site)
            if runs.hasCleanups { cleanUp() }
        }
    }

    /// The route of an action in the scope of its origin; nil if the action may concern more than that.
    private func fastRoute<A: Relux.Action>(for action: A.Type, from origin: Origin) -> RouteReference? {
        guard let scope = origin.scope else { return root.routes[action] }
        return scope.fastRoute(for: action, in: self)
    }

    private func deliver<A: Relux.Action>(_ action: A, as origin: Origin, at site: Relux.CallSite) {
        if A.self == Mailbox.Order.self, let order = action as? Mailbox.Order {
            order.body(self)
        } else if allowsFastPath, !reporter.hasObservers, origin.run == 0 || runs.isLive(origin.run),
            let route = fastRoute(for: A.self, from: origin), route.isReducersOnly
        {
            sequence &+= 1
            if route.reduce(action) { route.wakeReaders() }
        } else {
            dispatch(action, of: origin, at: site)
        }
    }
}
