import Testing

/// Expects two values to be equal, and shows where they differ if they aren't.
///
/// ```swift
/// expectNoDifference(state.items, [Item(id: 1, title: "Milk")])
/// ```
///
/// The issue shows only the parts that differ, a minus before what was expected and a plus before what is there. See
/// ``Difference`` for how parts are matched.
///
/// - Parameters:
///   - actual: The value that is.
///   - expected: The value that should be.
///   - message: What the expectation is about; it comes first in the issue.
///   - sourceLocation: Where the issue is recorded: at the call unless stated otherwise.
/// - Returns: Whether they are equal.
/// - Complexity: O(*n*) in the number of parts, where they are mostly the same.
@discardableResult
public func expectNoDifference<Value: Equatable>(
    _ actual: Value,
    _ expected: Value,
    _ message: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    if actual == expected { return true }

    let difference = Difference(expected: expected, actual: actual)
    let message = message()
    Issue.record(
        """
        \(message.isEmpty ? "" : "\(message). ")The values differ (- expected, + actual):

        \(difference?.description ?? "(not equal, though they look the same)")
        """,
        sourceLocation: sourceLocation
    )
    return false
}
