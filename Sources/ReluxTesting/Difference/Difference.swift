/// How two values differ, part by part, with only the parts that differ.
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
/// Lines with a minus are what was expected, lines with a plus what is there.
///
/// - Values are looked at through `Mirror`: what a type hides there stays hidden. Only values without parts are shown
///   by their own descriptions.
/// - Parts are the same if `==` says so; without `==`, if all of their own parts are.
/// - Elements of arrays belong together by their ids where they are `Identifiable`, and by a longest common
///   subsequence otherwise; entries of dictionaries by their keys. What is at another place among its siblings is
///   marked as moved. An unchanged `id` is shown, since it tells what the rest is about.
/// - Instances are compared by their parts, each pair once, so circles end. Actors are compared by identity.
/// - Large values are safe: comparing is linear in their size, aligning two arrays that have nothing in common has a
///   limit, and the text ends after 200 lines. Parts more than 60 levels deep count as the same.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
    /// The lines that show the difference, each with its mark: `-`, `+` or a space, then a space.
    public let lines: [String]

    /// Finds how two values differ; nil if they are the same.
    ///
    /// Values that aren't equal, but of which no part that they show differs, are shown as a whole, with a remark.
    ///
    /// - Parameters:
    ///   - expected: The value that should be.
    ///   - actual: The value that is.
    /// - Complexity: O(*n*) in the number of parts, where they are mostly the same.
    public init?<Value>(expected: Value, actual: Value) {
        if Sameness.holds(expected, actual) { return nil }
        var comparison = Comparison()
        comparison.compare("", expected, actual)
        lines = comparison.writer.lines
    }

    /// All lines.
    public var description: String { lines.joined(separator: "\n") }
}
