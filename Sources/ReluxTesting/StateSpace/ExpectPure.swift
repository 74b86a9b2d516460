import Relux
import Testing

/// Expects a reducer to be pure: the same actions from the same states give the same states.
///
/// Each action is reduced twice, from equal states, and the results are compared. Then the whole list is reduced again
/// from the start, between 2 and 32 times depending on its length, and each state is compared with that of the first
/// pass. The first impure reduction is recorded as an issue, with the difference. A list without actions is an issue,
/// too, because nothing was checked.
///
/// This finds reducers that depend on a clock, on random numbers, on a count of calls, or on the order of the sets and
/// dictionaries that they build, provided that the given actions reach that code. It doesn't find a dependence on the
/// order of a set that the start state already contains, because all copies share it, on a clock that is read to the
/// day, or on what two copies of a state share by reference.
///
/// - Parameters:
///   - start: The state before the first action.
///   - actions: The actions, in the order in which they are reduced.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
@discardableResult
public func expectPure<S: Relux.State>(
    from start: S,
    actions: [S.Action],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    expectPure(from: start, actions: actions, sourceLocation: sourceLocation, reduce: { $0.reduce($1) })
}

/// Expects a reduce function to be pure: the same actions from the same states give the same states.
///
/// The first impure reduction is recorded as an issue, with the difference, and so is a list without actions.
///
/// - Parameters:
///   - start: The state before the first action.
///   - actions: The actions, in the order in which they are reduced.
///   - reduce: The function to check, which applies an action to a state.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
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

/// Expects a reducer to be pure, using actions generated from a seed.
///
/// The first impure reduction is recorded as an issue, with the difference and the seed.
///
/// ```swift
/// expectPure(from: Counter.State(), seed: 7) { state, generator in
///     state.count > 0 ? .removed(Int.random(in: 0..<state.count, using: &generator)) : .added
/// }
/// ```
///
/// - Parameters:
///   - start: The state before the first action.
///   - count: The number of actions.
///   - seed: Determines the random numbers. The same seed gives the same actions.
///   - action: Returns the next action, given the current state.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
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
