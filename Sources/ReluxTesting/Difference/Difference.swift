import Testing

/// The difference between two values, part by part, showing only the parts that differ.
///
/// ```
///   Items.State(
/// -     filter: .all
/// +     filter: .active
///       items: [
///           … (3 unchanged)
///           [3]: Item(
///               id: 4
/// -             title: "Milk"
/// +             title: "Oat milk"
///           )
/// -         [4]: Item(id: 5, title: "Tea")
///       ]
///   )
/// ```
///
/// Lines with a minus are expected, lines with a plus are actual.
///
/// - Values are inspected through `Mirror`, so parts that a type hides from it stay hidden. Only values without parts
///   are shown by their own descriptions.
/// - Parts are the same if they are equal according to `==`. Parts without `==` are the same if all of their own parts
///   are.
/// - Array elements that are `Identifiable` are matched by their ids, others by a longest common subsequence.
///   Dictionary entries are matched by their keys. Elements that changed position among their siblings are marked as
///   moved. An unchanged `id` is shown, since it identifies what the other lines belong to.
/// - Class instances are compared by their parts. Each pair is compared once, so cycles end. Actors are compared by
///   identity.
/// - Large values are safe. The cost of a comparison is linear in their size, the alignment of two arrays that have
///   nothing in common is limited, and the text ends after 200 lines. Parts more than 60 levels deep count as the same.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
    /// The lines of the difference, each starting with a mark (`-`, `+` or a space) and a space.
    public let lines: [String]

    /// Creates the difference between two values; nil if they are the same.
    ///
    /// If the values aren't equal but none of their visible parts differ, both are shown as a whole, with a remark.
    ///
    /// - Complexity: O(*n*) in the number of parts, if most of them are the same.
    public init?<Value>(expected: Value, actual: Value) {
        if Sameness.holds(expected, actual) { return nil }
        var comparison = Comparison()
        comparison.compare("", expected, actual)
        lines = comparison.writer.lines
    }

    /// All lines, joined by line breaks.
    public var description: String { lines.joined(separator: "\n") }
}

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
