import Foundation
import Relux

/// Checks a reducer by reducing every action more than once and comparing the results.
struct PurityCheck<State: Equatable, Action> {
    /// The state after the actions so far.
    private(set) var state: State

    /// A description of the first failure.
    private(set) var failure: String?

    private let start: State
    private let changesTimeZone: Bool
    private var steps: [(action: Action, result: State)] = []

    /// - Parameter changesTimeZone: Whether each pass has another default time zone.
    init(start: State, changesTimeZone: Bool = false) {
        (self.start, self.changesTimeZone) = (start, changesTimeZone)
        state = start
    }

    /// Reduces an action twice from equal states, and keeps the first result as the current state.
    mutating func isPure(_ action: Action, _ reduce: (inout State, Action) -> Void) -> Bool {
        var second = state
        reduce(&state, action)
        reduce(&second, action)
        steps.append((action, state))
        guard state == second else {
            fail(action, at: steps.count, "reduced twice from equal states, gave different ones", state, second)
            return false
        }
        return true
    }

    /// The number of times that all actions are reduced again: more often if there are few, between 2 and 32 times.
    ///
    /// A set of a few elements often has the same order twice by chance.
    static func passes(for count: Int) -> Int { min(max(2_000 / max(count, 1), 2), 32) }

    /// Reduces all actions again from the start, several times, and compares each state with that of the first pass.
    ///
    /// A set or a dictionary hashes with its own address as the seed. All states are kept until the end, so that the
    /// sets that the reducer builds have another address, and therefore another order, in each pass. The same is true
    /// of the sets that it is given, if the start and the actions can be made again.
    ///
    /// - Parameter makeAgain: Makes the start and the actions again; nil if the actions can't be made again. The result
    ///   is used only if it equals the first one.
    /// - Returns: Whether they are equal. Without actions, nothing was checked, which is a failure too.
    mutating func isRepeatable(
        _ reduce: (inout State, Action) -> Void, makeAgain: () throws -> (start: State, actions: [Action]?)
    ) rethrows -> Bool {
        guard !steps.isEmpty else {
            failure = "There are no actions, so nothing was checked."
            return false
        }
        var (kept, made): ([State], [(State, [Action]?)]) = ([], [])
        for pass in 0..<Self.passes(for: steps.count) {
            let again = try makeAgain()
            made.append(again)
            let states = OtherTimeZone.with(changesTimeZone ? pass : nil) { reduceAll(again, reduce) }
            kept += states
            if let index = states.indices.first(where: { states[$0] != steps[$0].result }) {
                let what = "reduced again after the same actions as before, gave another state"
                fail(steps[index].action, at: index + 1, what, steps[index].result, states[index])
                return false
            }
        }
        return true
    }

    /// The states after each of the actions.
    private func reduceAll(
        _ again: (start: State, actions: [Action]?), _ reduce: (inout State, Action) -> Void
    ) -> [State] {
        var state = again.start == start ? again.start : start
        let actions = again.actions.flatMap { isFirst($0) ? $0 : nil }
        return steps.indices.map { index in
            reduce(&state, actions?[index] ?? steps[index].action)
            return state
        }
    }

    /// Whether actions are equal to those of the first pass, as far as this can be told.
    private func isFirst(_ actions: [Action]) -> Bool {
        actions.count == steps.count
            && zip(actions, steps).allSatisfy { action, step in
                (step.action as? any Equatable)?.isEqual(toAny: action) == true
            }
    }

    private mutating func fail(_ action: Action, at place: Int, _ what: String, _ first: State, _ second: State) {
        failure = """
            The reducer isn't pure. Action \(place), \(ValueText.line(action)), \(what) (- first, + second):

            \(Difference(expected: first, actual: second)?.description ?? "  (nothing that shows)")
            """
    }
}

extension Equatable {
    fileprivate func isEqual(toAny other: Any) -> Bool { other as? Self == self }
}

/// Time zones in which the local date is never the same: they are 26 hours apart.
enum OtherTimeZone {
    private static let all = [14, -12].compactMap { TimeZone(secondsFromGMT: $0 * 3_600) }
    // Not of a value without a size: to the thread sanitizer, that has the address of the lock's own header.
    private static let turn = Lock(false)

    /// Executes a closure while the default time zone of the process is one of these. One such closure at a time.
    ///
    /// - Parameter number: Chooses the zone; nil for the present one.
    static func with<Result>(_ number: Int?, _ body: () -> Result) -> Result {
        guard let number else { return body() }
        // nonisolated(unsafe), twice: used only on this thread, inside the critical section.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result?
        turn.withLock { _ in
            let usual = NSTimeZone.default
            NSTimeZone.default = all[number % all.count]
            result = body()
            NSTimeZone.default = usual
        }
        guard let result else { preconditionFailure("The closure is called once.") }
        return result
    }
}
