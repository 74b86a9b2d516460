/// The numbers of elements of the collections in a value, from which it can be told whether a path to one of their
/// elements may lead nowhere.
struct ValueShape: Sendable {
    /// Nil for anything but a collection.
    private var count: Int?
    private var parts: [ValueShape] = []

    /// How deep it looks, and into how many elements of a collection.
    private static let limits = (depth: 8, elements: 1_000)

    init(of value: Any, depth: Int = 0) {
        // Texts are collections that nobody refers to by position.
        guard depth < Self.limits.depth, !(value is any StringProtocol) else { return }
        func count(_ collection: some Collection) -> Int { collection.count }
        let collection = value as? any Collection
        self.count = collection.map { count($0) }
        if let collection {
            guard collection is any RandomAccessCollection, let first = collection.first,
                ValueShape(of: first, depth: depth + 1).hasCollections
            else { return }
            parts = collection.prefix(Self.limits.elements).map { ValueShape(of: $0, depth: depth + 1) }
        } else {
            parts = Mirror(reflecting: value).children.map { ValueShape(of: $0.value, depth: depth + 1) }
            if !hasCollections { parts = [] }
        }
    }

    private var hasCollections: Bool { count != nil || parts.contains(where: \.hasCollections) }

    /// Whether a collection has fewer elements than it had, or is no longer there.
    func isSmaller(than earlier: ValueShape) -> Bool {
        if let before = earlier.count, (count ?? -1) < before { return true }
        return parts.count < earlier.parts.count || zip(parts, earlier.parts).contains { $0.isSmaller(than: $1) }
    }
}
