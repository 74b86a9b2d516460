import Relux

/// Sends mutations, one at a time for each key.
struct Sender<Q: Relux.Query>: Relux.Saga {
    typealias Event = Relux.QueryEvent<Q>

    let query: Q

    func policy(for sending: Relux.QuerySending<Q>) -> Relux.Policy {
        switch Q.mutationOrder {
        case .each: .serial(id: sending.key)
        case .newest: .conflated(id: sending.key)
        }
    }

    func actionOnCancel(_ sending: Relux.QuerySending<Q>) -> (any Relux.Action)? {
        Event.rejected(sending.key, sending.mutation, number: sending.number)
    }

    func actionOnDrop(_ sending: Relux.QuerySending<Q>) -> (any Relux.Action)? {
        Event.skipped(sending.key, sending.mutation, number: sending.number)
    }

    func run(_ sending: Relux.QuerySending<Q>, in context: Relux.SagaContext) async throws {
        let (key, mutation, number) = (sending.key, sending.mutation, sending.number)
        do {
            let began = try await context.state(of: Relux.QueryState<Q>.self).time
            let value = try await query.send(mutation, to: key, in: context)
            try Task.checkCancellation()
            await context.finish {
                Event.confirmed(key, mutation, number: number, value, began: began, at: context.now)
                query.actions(confirming: mutation, of: key)
            }
        } catch {
            try Task.checkCancellation()
            let rejected = Event.rejected(key, mutation, number: number)
            if isCancellation(error) {
                await context.finish(with: rejected)
                return
            }
            let actions = query.actions(rejecting: mutation, of: key, because: query.failure(for: error))
            await context.finish {
                rejected
                actions ?? []
            }
            if actions == nil { throw error }
        }
    }
}

/// Lets the receipt of a mutation wait for the server: until the mutation is settled, and the value has been asked for
/// again if that is necessary.
struct Settler<Q: Relux.Query>: Relux.Saga {
    let query: Q

    func run(_ sending: Relux.QuerySending<Q>, in context: Relux.SagaContext) async throws {
        let (key, number) = (sending.key, sending.number)
        try await context.wait(for: key, of: Q.self) { $0?.pending.contains { $0.number == number } != true }
        try await context.refresh(query, [key])
    }
}
