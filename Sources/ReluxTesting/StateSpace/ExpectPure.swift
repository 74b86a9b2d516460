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
/// dictionaries that they build or are given, provided that the given actions reach that code.
///
/// All copies of one set have the same order. To find a dependence on the order of a given set, write the start and the
/// actions in the call, or call a function that makes them, so that the sets are made again for each pass. Actions that
/// were made again are used only if they are `Equatable`.
///
/// With `changingTimeZone`, it also finds a dependence on the local day: the passes use two default time zones in which
/// no moment has the same date. The default time zone belongs to the process, so tests that read it must not run at the
/// same time. Without it, the day is the same in each pass, so that a dependence on it isn't found. A dependence on an
/// object that two copies of a state share is never found.
///
/// - Parameters:
///   - start: Makes the state before the first action. It is evaluated several times.
///   - actions: Makes the actions, in the order in which they are reduced. It is evaluated several times.
///   - changingTimeZone: Whether the process has another default time zone in each pass.
/// - Throws: Any error that is thrown while the start or the actions are made.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
@discardableResult
public func expectPure<S: Relux.State>(
    from start: @autoclosure () throws -> S,
    actions: @autoclosure () throws -> [S.Action],
    changingTimeZone: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) rethrows -> Bool {
    try expectPure(
        from: start(), actions: actions(), changingTimeZone: changingTimeZone, sourceLocation: sourceLocation,
        reduce: { $0.reduce($1) }
    )
}

/// Expects a reduce function to be pure: the same actions from the same states give the same states.
///
/// The first impure reduction is recorded as an issue, with the difference, and so is a list without actions.
///
/// - Parameters:
///   - start: Makes the state before the first action. It is evaluated several times.
///   - actions: Makes the actions, in the order in which they are reduced. It is evaluated several times.
///   - changingTimeZone: Whether the process has another default time zone in each pass.
///   - reduce: The function to check, which applies an action to a state.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
@discardableResult
public func expectPure<State: Equatable, Action>(
    from start: @autoclosure () throws -> State,
    actions: @autoclosure () throws -> [Action],
    changingTimeZone: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    reduce: (inout State, Action) -> Void
) rethrows -> Bool {
    var check = try PurityCheck<State, Action>(start: start(), changesTimeZone: changingTimeZone)
    let isPure =
        try actions().allSatisfy { check.isPure($0, reduce) }
        && check.isRepeatable(reduce) { (try start(), try actions()) }
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
///   - start: Makes the state before the first action. It is evaluated several times.
///   - count: The number of actions.
///   - seed: Determines the random numbers. The same seed gives the same actions.
///   - changingTimeZone: Whether the process has another default time zone in each pass.
///   - action: Returns the next action, given the current state.
/// - Returns: Whether all reductions gave equal results; false if there were none.
/// - Complexity: Between 4 and 34 reductions and comparisons per action: 4 from 1,000 actions on. All states are held
///   in memory until the end.
@discardableResult
public func expectPure<S: Relux.State>(
    from start: @autoclosure () throws -> S,
    count: Int = 1_000,
    seed: UInt64 = 0,
    changingTimeZone: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    action: (S, inout SeededGenerator) -> S.Action
) rethrows -> Bool {
    var generator = SeededGenerator(seed: seed)
    var check = try PurityCheck<S, S.Action>(start: start(), changesTimeZone: changingTimeZone)
    let reduce = { (state: inout S, action: S.Action) in state.reduce(action) }
    let isPure =
        try (0..<count).allSatisfy { _ in check.isPure(action(check.state, &generator), reduce) }
        && check.isRepeatable(reduce) { (try start(), nil) }
    if let text = check.failure { Issue.record("\(text)\n\nSeed: \(seed)", sourceLocation: sourceLocation) }
    return isPure
}
