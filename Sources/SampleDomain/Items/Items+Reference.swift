public import SampleServices

extension Items {
    /// The way in which a user names an item.
    public enum Reference: Sendable, Equatable, ExpressibleByStringLiteral {
        /// By its id.
        case id(Item.ID)

        /// By the beginning of its id, as far as no other item's id begins like that. Upper and lower case are the
        /// same, and hyphens may be left out.
        case prefix(String)

        /// Names an item by the beginning of its id.
        ///
        /// - Parameter value: The beginning of the id.
        public init(stringLiteral value: String) {
            self = .prefix(value)
        }
    }
}

extension Items.List {
    /// Finds the item that is meant.
    ///
    /// - Parameter reference: The way in which the user names it.
    /// - Returns: The item.
    /// - Throws: ``ItemsError/unknown(_:)`` or ``ItemsError/ambiguous(_:candidates:)``, whose candidates stand in the
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
