/// What is to become of one stored item.
///
/// A change says what was meant, and not only what came out: an update carries the version that it started from, so
/// that what somebody else changed in the meantime is kept. Changes to different fields of one item are both kept; of
/// two changes to the same field the later one wins.
public enum ItemChange: Sendable, Equatable {
    /// A new item. Where its id is stored already, as after a save whose success was never heard of, the version that
    /// was changed last stays, as a whole: to try again undoes nothing that somebody else has done since.
    case insert(Item)

    /// The fields in which the two differ. An item that has been deleted elsewhere comes back: an edit is never lost.
    case update(from: Item, to: Item)

    /// The item goes, whatever has become of it. It is no error if it is gone already.
    case delete(Item.ID)

    /// The item that the change is about.
    public var id: Item.ID {
        switch self {
        case .insert(let item), .update(_, let item): item.id
        case .delete(let id): id
        }
    }

    /// What the change makes of the stored version.
    ///
    /// - Parameter stored: The version that is stored now, or nil if there is none.
    /// - Returns: The version to store, or nil if there is to be none.
    public func applied(to stored: Item?) -> Item? {
        switch self {
        case .insert(let item): if let stored, stored.updated > item.updated { stored } else { item }
        case .delete: nil
        case .update(let old, let new): stored.map { Self.merge(from: old, to: new, onto: $0) } ?? new
        }
    }

    private static func merge(from old: Item, to new: Item, onto stored: Item) -> Item {
        var merged = stored
        if old.title != new.title { merged.title = new.title }
        if old.order != new.order { merged.order = new.order }
        if old.completed != new.completed { merged.completed = new.completed }
        merged.updated = max(stored.updated, new.updated)
        return merged
    }
}
