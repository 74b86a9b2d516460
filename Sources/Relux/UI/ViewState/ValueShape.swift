/// The numbers of elements of the collections in a value, from which it can be told whether a path to one of their
/// elements may lead nowhere.
struct ValueShape {
    /// Nil for anything but a collection.
    private var count: Int?
    /// In order: the parts of a value, or the elements of a collection. Empty if none of them has a collection.
    private var parts: [ValueShape] = []
    /// The values of a dictionary with collections in them.
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
            values = dictionary.mapValues { ValueShape(of: $0, depth: depth + 1) }.filter(\.value.hasCollections)
        } else if let collection {
            // The elements of a set are in no order, and no path leads to them.
            guard collection is any RandomAccessCollection else { return }
            parts = collection.prefix(Self.limits.elements).map { ValueShape(of: $0, depth: depth + 1) }
        } else {
            parts = Mirror(reflecting: value).children.map { ValueShape(of: $0.value, depth: depth + 1) }
        }
        if !parts.contains(where: \.hasCollections) { parts = [] }
    }

    private var hasCollections: Bool { count != nil || !parts.isEmpty || !values.isEmpty }

    /// Whether a collection has fewer elements than it had, or is no longer there.
    func isSmaller(than earlier: ValueShape) -> Bool {
        if let before = earlier.count, (count ?? -1) < before { return true }
        return zip(parts, earlier.parts).contains { $0.isSmaller(than: $1) }
            || earlier.parts.dropFirst(parts.count).contains(where: \.hasCollections)
            || earlier.values.contains { values[$0]?.isSmaller(than: $1) ?? true }
    }
}
