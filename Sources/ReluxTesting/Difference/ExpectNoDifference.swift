import Testing

/// Expects two values to be equal, and shows how they differ if they aren't.
///
/// ```swift
/// expectNoDifference(state.items, [Item(id: 1, title: "Milk")])
/// ```
///
/// The issue shows only the parts that differ, with a minus before what was expected and a plus before the actual
/// value. See ``Difference`` for how parts are matched.
///
/// - Parameter message: The subject of the expectation, shown at the beginning of the issue.
/// - Returns: Whether the values are equal.
/// - Complexity: O(*n*) in the number of parts, if most of them are the same.
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
