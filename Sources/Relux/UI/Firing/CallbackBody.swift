/// The body of a callback, with the actor to which it is isolated.
struct CallbackBody<Input: Sendable>: Sendable {
    typealias Call = nonisolated(nonsending) @Sendable (Input) async -> Void

    /// The actor to which the body is isolated; nil if it is nonisolated.
    let actor: (any Actor)?

    let call: Call

    /// - Parameters:
    ///   - actor: The actor to which the body is isolated; nil if it is nonisolated.
    ///   - call: Calls the body, without a suspension if the caller is isolated to the same actor.
    init(on actor: (any Actor)?, _ call: @escaping Call) {
        self.actor = actor
        self.call = call
    }

    /// The same body for another input.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Input) -> CallbackBody<Other> {
        // No capture list: Swift 6.3 compiles such a closure as nonisolated, and it would leave the caller's actor.
        CallbackBody<Other>(on: actor) { input in await call(transform(input)) }
    }

    /// Runs the body in a task of its own, when its turn comes.
    ///
    /// The task is created immediately, so that it inherits the caller's task-local values.
    ///
    /// - Parameter completion: Called when the body has ended.
    func fire(_ input: Input, in order: Relux.UI.CallbackOrder, then completion: (@Sendable () -> Void)?) {
        let body = FiredBody(on: actor) {
            await call(input)
            completion?()
        }
        body.fire(in: order)
    }
}

/// The body of a callback, with its input.
// A type without parameters, so that there is one copy of its code instead of one for each type of input.
private struct FiredBody: Sendable {
    typealias Call = nonisolated(nonsending) @Sendable () async -> Void

    /// The actor to which the body is isolated; nil if it is nonisolated.
    let actor: (any Actor)?

    let call: Call

    init(on actor: (any Actor)?, _ call: @escaping Call) {
        self.actor = actor
        self.call = call
    }

    func fire(in order: Relux.UI.CallbackOrder) {
        guard let actor else {
            let executor = CallbackExecutor(hasBegun: order.advance)
            Task(executorPreference: executor, priority: .userInitiated) { await call() }
            return order.enter(executor.start)
        }
        let (turn, hasTurn) = AsyncStream.makeStream(of: Never.self)
        Task(priority: .userInitiated) {
            for await _ in turn {}
            await begin(on: actor, in: order)
        }
        order.enter { hasTurn.finish() }
    }

    /// Runs the body on its actor, and lets the next call begin when the body has reached its first suspension.
    private func begin(on actor: isolated any Actor, in order: Relux.UI.CallbackOrder) async {
        // The actor runs this task only when it is free again, that is when the body has suspended or ended. A task
        // executor wouldn't notice, because the main actor and actors with a custom executor don't use it.
        Task(priority: .userInitiated) {
            _ = actor
            order.advance()
        }
        await call()
    }
}
