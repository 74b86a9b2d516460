/// The elements in which two arrays differ: those between the common prefix and the common suffix.
struct DifferingParts {
    let old: [Any]
    let new: [Any]
    /// The index of the first of them.
    let start: Int
    /// The element before them; nil at the start.
    let previous: Any?
    /// Whether the elements are identified by their ids. Otherwise, they are identified by their indices.
    let isIdentified: Bool
    /// Whether the elements of one array are identified by their ids, and those of the other by their indices.
    let isRenamed: Bool
}

/// An array that can be compared with another one without reflecting each element.
protocol ComparableArray {
    /// Nil if the whole array has to be compared: the other value is of another type, or different ids may have the
    /// same text.
    func differingParts(from other: Any) -> DifferingParts?
}

extension Array: ComparableArray where Element: Equatable {
    func differingParts(from other: Any) -> DifferingParts? {
        guard let other = other as? [Element] else { return nil }
        let (isOldIdentified, isNewIdentified) = (hasIdentities, other.hasIdentities)
        let isIdentified = isOldIdentified && isNewIdentified
        func hasOwnText(_ element: some Identifiable) -> Bool { hasText(of: element.id) }
        if let sample = (first ?? other.first) as? any Identifiable, !hasOwnText(sample) { return nil }
        var start = 0
        while start < count, start < other.count, self[start] == other[start] { start += 1 }
        var rest = 0
        // After an insertion, elements that are identified by their indices have other keys.
        if isIdentified || count == other.count {
            while rest < count - start, rest < other.count - start,
                self[count - 1 - rest] == other[other.count - 1 - rest]
            {
                rest += 1
            }
        }
        return DifferingParts(
            old: self[start..<(count - rest)].map { $0 as Any },
            new: other[start..<(other.count - rest)].map { $0 as Any },
            start: start, previous: start > 0 ? other[start - 1] : nil, isIdentified: isIdentified,
            isRenamed: isOldIdentified != isNewIdentified && count > 0 && other.count > 0
        )
    }
}

extension Array {
    /// Whether the elements are `Identifiable` values with ids of their own.
    var hasIdentities: Bool { !(Element.self is AnyClass) && (self as? any IdentifiedArray)?.hasUniqueIDs == true }
}

private protocol IdentifiedArray {
    var hasUniqueIDs: Bool { get }
}

extension Array: IdentifiedArray where Element: Identifiable {
    var hasUniqueIDs: Bool {
        var seen: Set<Element.ID> = []
        return allSatisfy { seen.insert($0.id).inserted }
    }
}
