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
