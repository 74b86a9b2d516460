public import SampleServices

extension Items {
    /// A user's reference to an item.
    public enum Reference: Sendable, Equatable, ExpressibleByStringLiteral {
        /// The id of the item.
        case id(Item.ID)

        /// A prefix of the item's id that no other item's id shares. Case is ignored, and hyphens may be omitted.
        case prefix(String)

        /// Creates a reference from a prefix of an id.
        public init(stringLiteral value: String) {
            self = .prefix(value)
        }
    }
}

extension Items.List {
    /// Resolves a reference.
    ///
    /// - Throws: ``ItemsError/unknown(_:)`` or ``ItemsError/ambiguous(_:candidates:)``, whose candidates are in the
    ///   order of the list.
    /// - Complexity: O(*n*) in the number of items.
    public func item(_ reference: Items.Reference) throws(ItemsError) -> Item {
        switch reference {
        case .id(let id):
            guard let item = self[id] else { throw .unknown(id.hexadecimal) }
            return item
        case .prefix(let text):
            let prefix = text.filter { $0 != "-" }.lowercased()
            let candidates = prefix.isEmpty ? [] : all.filter { $0.id.hexadecimal.hasPrefix(prefix) }
            guard let item = candidates.first else { throw .unknown(text) }
            guard candidates.count == 1 else { throw .ambiguous(text, candidates: candidates) }
            return item
        }
    }
}
