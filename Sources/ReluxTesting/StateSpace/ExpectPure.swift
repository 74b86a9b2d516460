import Relux
import Testing

/// Expects a reducer to be pure: the same actions from the same states give the same states.
///
/// Each action is reduced twice, from equal states, and the results are compared. Then the whole list is reduced again
/// from the start, and each state is compared with the one of the first time. So what depends on a clock, on random
/// numbers, on hashing or on a count of the calls is found, if the given actions get there. What two copies of a state
/// share by reference isn't.
///
/// - Parameters:
///   - start: The state before the first action.
///   - actions: What happens, in this order.
///   - sourceLocation: Where an impure reduction is recorded: the first one, with the difference.
/// - Returns: Whether all reductions gave equal results.
/// - Complexity: Three reductions and two comparisons an action. Holds as many states as there are actions.
@discardableResult
public func expectPure<S: Relux.State>(
    from start: S,
    actions: [S.Action],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    expectPure(from: start, actions: actions, sourceLocation: sourceLocation, reduce: { $0.reduce($1) })
}

/// Expects a reducer of the test's own to be pure: the same actions from the same states give the same states.
///
/// - Parameters:
///   - start: The state before the first action.
///   - actions: What happens, in this order.
///   - sourceLocation: Where an impure reduction is recorded: the first one, with the difference.
///   - reduce: Changes a state as an action demands.
/// - Returns: Whether all reductions gave equal results.
/// - Complexity: Three reductions and two comparisons an action. Holds as many states as there are actions.
@discardableResult
public func expectPure<State: Equatable, Action>(
    from start: State,
    actions: [Action],
    sourceLocation: SourceLocation = #_sourceLocation,
    reduce: (inout State, Action) -> Void
) -> Bool {
    var check = PurityCheck<State, Action>(start: start)
    let isPure = actions.allSatisfy { check.isPure($0, reduce) } && check.isRepeatable(reduce)
    if let text = check.failure { Issue.record("\(text)", sourceLocation: sourceLocation) }
    return isPure
}

/// Expects a reducer to be pure, over actions that are generated from a seed.
///
/// ```swift
/// expectPure(from: Counter.State(), seed: 7) { state, generator in
///     state.count > 0 ? .removed(Int.random(in: 0..<state.count, using: &generator)) : .added
/// }
/// ```
///
/// - Parameters:
///   - start: The state before the first action.
///   - count: How many actions.
///   - seed: What the random numbers follow from. The same seed gives the same actions.
///   - sourceLocation: Where an impure reduction is recorded: the first one, with the difference and the seed.
///   - action: Makes the next action, of the state as it is then.
/// - Returns: Whether all reductions gave equal results.
/// - Complexity: Three reductions and two comparisons an action. Holds as many states as there are actions.
@discardableResult
public func expectPure<S: Relux.State>(
    from start: S,
    count: Int = 1_000,
    seed: UInt64 = 0,
    sourceLocation: SourceLocation = #_sourceLocation,
    action: (S, inout SeededGenerator) -> S.Action
) -> Bool {
    var generator = SeededGenerator(seed: seed)
    var check = PurityCheck<S, S.Action>(start: start)
    let reduce = { (state: inout S, action: S.Action) in state.reduce(action) }
    let isPure =
        (0..<count).allSatisfy { _ in check.isPure(action(check.state, &generator), reduce) }
        && check.isRepeatable(reduce)
    if let text = check.failure { Issue.record("\(text)\n\nSeed: \(seed)", sourceLocation: sourceLocation) }
    return isPure
}
