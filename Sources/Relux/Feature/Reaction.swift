extension Relux {
    /// A saga made from a closure, for reactions of a few lines.
    ///
    /// ```swift
    /// var sagas: [any Relux.Saga] {
    ///     [Relux.Reaction(to: Session.Action.self) { _, context in context.send(Notes.Effect.load) }]
    /// }
    /// ```
    ///
    /// All reactions to one type of action have the same type, so `cancel(Reaction<Trigger>.self)` cancels the runs of
    /// all of them. If a reaction has to be cancelled alone, or needs an `actionOnCancel`, write a ``Saga`` instead.
    public struct Reaction<Trigger: Action>: Saga {
        /// Which actions the reaction takes inside an instance.
        public let listensTo: HandlerScope
        /// The types of actions that a run awaits.
        public let listens: [any Action.Type]
        private let policy: Policy
        private let body: @Sendable (Trigger, SagaContext) async throws -> Void

        /// Creates a reaction.
        ///
        /// - Parameters:
        ///   - trigger: The type of action that it reacts to.
        ///   - scope: Whether a reaction of an instance listens to the scopes around it.
        ///   - policy: How the run of a new trigger relates to existing runs. Each reaction has its own lanes.
        ///   - listens: The types of actions that a run awaits, kept since its trigger.
        ///   - body: What a run does, with the same isolation, cancellation, and errors as `Saga.run`.
        public init(
            to trigger: Trigger.Type, in scope: HandlerScope = .lexical, policy: Policy = .concurrent,
            listens: [any Action.Type] = [], _ body: @escaping @Sendable (Trigger, SagaContext) async throws -> Void
        ) {
            listensTo = scope
            self.listens = listens
            self.policy = policy
            self.body = body
        }

        /// The policy that the reaction was created with.
        public func policy(for trigger: Trigger) -> Policy { policy }

        /// Executes the closure.
        public func run(_ trigger: Trigger, in context: SagaContext) async throws { try await body(trigger, context) }
    }
}
