import Relux

/// A module that takes the effects of one type in place of the module that implements them, and records them.
///
/// With stand-ins for the effects of its neighbours, a feature is tested without their implementations: only their
/// interfaces are imported.
///
/// ```swift
/// let loading = StandIn(for: Profiles.Load.self) { load in Profile(id: load.id, name: "Ada") }
/// let store = try await TestStore {
///     Greeting.Module()
///     loading
/// }
/// …
/// #expect(loading.taken == [Profiles.Load(id: 1)])
/// ```
///
/// It is registered as any other module, so a scope holds one stand-in for each type of effect, and none beside a
/// module with a flow for the same effect.
///
/// - Isolation: Its records can be read from anywhere.
/// - Ordering: Effects are recorded in the order in which they were reduced. Its runs overlap, as those of a flow
///   without a policy of its own.
/// - Lifetime: It keeps the effects that it has recorded. Copies of it share them.
public struct StandIn<E: Relux.Effect>: Relux.Module {
    private let log = Shared<[E]>([])
    private let answer: @Sendable (E) async throws -> E.Output

    /// Creates a stand-in that answers each effect.
    ///
    /// - Parameters:
    ///   - effect: The effect, matched by its exact type.
    ///   - answer: Returns what `perform` returns, or throws. It is called in the task of a run, and may wait.
    public init(for effect: E.Type, answer: @escaping @Sendable (E) async throws -> E.Output) {
        self.answer = answer
    }

    /// Creates a stand-in for an effect without a value. It does nothing but record.
    ///
    /// - Parameter effect: The effect, matched by its exact type.
    public init(for effect: E.Type) where E.Output == Void {
        self.init(for: effect) { _ in }
    }

    /// The effects that it has taken, in order.
    public var taken: [E] { log.value }

    /// The flow that takes the effects.
    public var flows: [any Relux.Flow] { [StandInFlow(log: log, answer: answer)] }
}

private struct StandInFlow<E: Relux.Effect>: Relux.Flow {
    let log: Shared<[E]>
    let answer: @Sendable (E) async throws -> E.Output

    // Called when the effect is reduced, so that the order is that of the effects and not that in which runs begin.
    func policy(for trigger: E) -> Relux.Policy {
        log.change { $0.append(trigger) }
        return .concurrent
    }

    func run(_ trigger: E, in context: Relux.SagaContext) async throws -> E.Output { try await answer(trigger) }
}
