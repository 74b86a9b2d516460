public import SampleServices

extension Items {
    /// A user's reference to an item.
    public enum Reference: Sendable, Equatable {
        /// The id of the item.
        case id(Item.ID)

        /// What a user typed: the position of an active item, from 1, or a prefix of an item's id that no other item's
        /// id shares. A prefix has at least ``ShortIDs/shortest`` characters, so that a short number is always a
        /// position. Case is ignored, and hyphens may be omitted.
        case typed(String)
    }
}

extension Items.List {
    /// Resolves a reference.
    ///
    /// - Throws: ``ItemsError/unknown(_:)``, ``ItemsError/tooShort(_:)``, ``ItemsError/noPosition(_:count:)``, or
    ///   ``ItemsError/ambiguous(_:candidates:)``, whose candidates are in the order of the list. A long number may be
    ///   both a position and a prefix.
    /// - Complexity: O(*n*) in the number of items.
    public func item(_ reference: Items.Reference) throws(ItemsError) -> Item {
        switch reference {
        case .id(let id):
            guard let item = self[id] else { throw .unknown(id.hexadecimal) }
            return item
        case .typed(let text):
            let position = text.position
            let placed = position.flatMap { active.indices.contains($0 - 1) ? active[$0 - 1] : nil }
            let prefix = text.filter { $0 != "-" }.lowercased()
            guard prefix.count >= Items.ShortIDs.shortest else {
                if let placed { return placed }
                if let position { throw .noPosition(position, count: active.count) }
                throw .tooShort(text)
            }
            let candidates = all.filter { $0.id == placed?.id || $0.id.hexadecimal.hasPrefix(prefix) }
            guard let item = candidates.first else { throw .unknown(text) }
            guard candidates.count == 1 else { throw .ambiguous(text, candidates: candidates) }
            return item
        }
    }
}

extension String {
    /// The text as a positive number without a sign or leading zeros, or nil.
    fileprivate var position: Int? {
        guard let number = Int(self), String(number) == self, number > 0 else { return nil }
        return number
    }
}
