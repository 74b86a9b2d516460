/// The body of a callback, with the actor to which it belongs.
struct CallbackBody<Input: Sendable>: Sendable {
    typealias Call = nonisolated(nonsending) @Sendable (Input) async -> Void

    /// The actor to which the body belongs; nil if it doesn't say.
    let actor: (any Actor)?

    let call: Call

    /// - Parameters:
    ///   - actor: The actor to which the body belongs; nil if it doesn't say.
    ///   - call: Calls the body, without a suspension if the caller is on that actor.
    init(on actor: (any Actor)?, _ call: @escaping Call) {
        self.actor = actor
        self.call = call
    }

    /// The same body for another input.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Input) -> CallbackBody<Other> {
        // No capture list: a closure with one would leave the caller's actor first (Swift 6.3).
        CallbackBody<Other>(on: actor) { input in await call(transform(input)) }
    }

    /// Runs the body in a task, which begins in its turn.
    ///
    /// The task is created here and not when the turn comes, because it inherits the caller's task-local values.
    func fire(_ input: Input, in order: Relux.UI.CallbackOrder) {
        guard let actor else {
            let executor = CallbackExecutor(hasBegun: order.advance)
            Task(executorPreference: executor, priority: .userInitiated) { await call(input) }
            return order.enter(executor.start)
        }
        let (turn, hasTurn) = AsyncStream.makeStream(of: Never.self)
        Task(priority: .userInitiated) {
            for await _ in turn {}
            await begin(input, on: actor, in: order)
        }
        order.enter { hasTurn.finish() }
    }

    /// Runs the body on its actor, and lets the next call begin when the body has reached its first suspension.
    private func begin(_ input: Input, on actor: isolated any Actor, in order: Relux.UI.CallbackOrder) async {
        // The actor runs this task only when it is free again: when the body has suspended or ended. A task executor
        // couldn't tell that, because the main actor and actors with an executor of their own don't use it.
        Task(priority: .userInitiated) {
            _ = actor
            order.advance()
        }
        await call(input)
    }
}
