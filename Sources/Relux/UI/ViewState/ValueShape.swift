/// The numbers, keys and ids of the elements of the collections in a value, from which it can be told whether a path to
/// one of them may lead nowhere.
struct ValueShape {
    /// Nil for anything but a collection.
    private var count: Int?
    /// In order: the parts of a value, or the elements of a collection. Empty if none of them has a collection.
    private var parts: [ValueShape] = []
    /// The values of a dictionary by key, or the elements of a collection by id.
    private var values: [AnyHashable: ValueShape] = [:]

    /// How deep it looks, and into how many elements of a collection.
    private static let limits = (depth: 8, elements: 1_000)

    init(of value: Any, depth: Int = 0) {
        // Texts and ranges are collections that nobody refers to by position. A range may have too many elements to
        // count.
        guard depth < Self.limits.depth, !(value is any StringProtocol), !(value is any RangeExpression) else { return }
        func count(_ collection: some Collection) -> Int { collection.count }
        let collection = value as? any Collection
        self.count = collection.map { count($0) }
        if let dictionary = value as? [AnyHashable: Any] {
            guard dictionary.count <= Self.limits.elements else { return }
            values = dictionary.mapValues { ValueShape(of: $0, depth: depth + 1) }
        } else if let collection {
            // The elements of a set are in no order, and no path leads to them.
            guard collection is any RandomAccessCollection else { return }
            func id(_ element: some Identifiable) -> AnyHashable { element.id }
            for element in collection.prefix(Self.limits.elements) {
                parts.append(ValueShape(of: element, depth: depth + 1))
                if let element = element as? any Identifiable { values[id(element)] = parts.last }
            }
        } else {
            parts = Mirror(reflecting: value).children.map { ValueShape(of: $0.value, depth: depth + 1) }
        }
        if !parts.contains(where: \.hasCollections) { parts = [] }
    }

    private var hasCollections: Bool { count != nil || !parts.isEmpty }

    /// Whether a collection no longer has as many elements, or one with the same key or id, or is no longer there.
    func isSmaller(than earlier: ValueShape) -> Bool {
        if let before = earlier.count, (count ?? -1) < before { return true }
        return zip(parts, earlier.parts).contains { $0.isSmaller(than: $1) }
            || earlier.parts.dropFirst(parts.count).contains(where: \.hasCollections)
            // Not all elements of a large collection are known.
            || earlier.values.contains { values[$0]?.isSmaller(than: $1) ?? ((count ?? 0) <= Self.limits.elements) }
    }
}
