/// Decides whether two values are the same, without showing how they differ.
struct Sameness {
    private struct Pair: Hashable {
        let first: ObjectIdentifier
        let second: ObjectIdentifier
    }

    /// The depth from which parts count as the same.
    private static let depthLimit = 60

    private var met: Set<Pair> = []

    /// Compares values by `==` if they have it, otherwise part by part.
    ///
    /// - Complexity: O(*n*) in the number of parts.
    static func holds(_ first: Any, _ second: Any) -> Bool {
        var sameness = Sameness()
        return sameness.holds(first, second, depth: 0)
    }

    private mutating func holds(_ first: Any, _ second: Any, depth: Int) -> Bool {
        guard type(of: first) == type(of: second) else { return false }
        if let first = first as? any Equatable { return Self.equal(first, second) }
        if depth >= Self.depthLimit { return true }
        if let one = identity(ofInstance: first), let other = identity(ofInstance: second) {
            // A pair seen before is the same, since the comparison would have ended at it otherwise.
            if one == other || !met.insert(Pair(first: one, second: other)).inserted { return true }
            if first is any Actor { return false }
        }

        switch (Shape(of: first), Shape(of: second)) {
        case (.none, .none): return true
        case (.some(let one), .some(let other)): return holds(one, other, depth: depth + 1)
        case (.fields(_, let one), .fields(_, let other)): return holds(one, other, depth)
        case (.enumCase(let name, let one), .enumCase(let otherName, let other)):
            return name == otherName && holds(one, other, depth)
        case (.list(let one), .list(let other)):
            return one.count == other.count
                && zip(one, other).allSatisfy { holds($0.value, $1.value, depth: depth + 1) }
        case (.dictionary(let one), .dictionary(let other)): return holds(Entry.sorted(one), Entry.sorted(other), depth)
        case (.leaf, .leaf): return ValueText.leaf(first) == ValueText.leaf(second)
        default: return false
        }
    }

    private mutating func holds(_ first: [Shape.Part], _ second: [Shape.Part], _ depth: Int) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy { $0.label == $1.label && holds($0.value, $1.value, depth: depth + 1) }
    }

    private mutating func holds(_ first: [Entry], _ second: [Entry], _ depth: Int) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy { $0.key == $1.key && holds($0.value, $1.value, depth: depth + 1) }
    }

    private static func equal<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
        guard let second = second as? Value else { return false }
        return first == second
    }
}

/// A dictionary entry, which can be sorted independently of hashing.
struct Entry {
    let key: AnyHashable
    let text: String
    let value: Any

    /// Returns the entries sorted by the texts of their keys, or by value if the keys are numbers.
    ///
    /// - Parameter text: Returns the text of a key.
    static func sorted(_ children: Mirror.Children, text: (Any) -> String = ValueText.line) -> [Entry] {
        let entries = children.compactMap { child -> Entry? in
            guard case .fields(_, let parts) = Shape(of: child.value), parts.count == 2,
                let key = parts[0].value as? AnyHashable
            else { return nil }
            return Entry(key: key, text: text(key.base), value: parts[1].value)
        }
        return entries.sorted { TextOrder.precedes($0.text, $1.text) }
    }
}

/// An order of texts in which whole numbers are sorted by value, and precede all other texts.
enum TextOrder {
    static func precedes(_ first: String, _ second: String) -> Bool {
        switch (Int(first), Int(second)) {
        case (let first?, let second?): first < second
        case (nil, nil): first < second
        case (let first, _): first != nil
        }
    }
}
