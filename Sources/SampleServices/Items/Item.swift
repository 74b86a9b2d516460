public import Foundation

/// One entry of a to-do list.
///
/// Equality compares every field. This is only the stored value. The domain decides which items may be changed, and
/// how.
public struct Item: Sendable, Hashable, Identifiable {
    /// The identity of the item, which never changes.
    public let id: UUID

    /// What is to be done. It is stored unchanged. The domain ensures that it isn't blank.
    public var title: String

    /// The position among the active items, smallest first. Two items may have the same order, for example when two
    /// processes add items at the same time. Ties are broken by ``created``, then by ``id``.
    public var order: Int

    /// When the item was created.
    public let created: Date

    /// When the item was last changed.
    public var updated: Date

    /// When the item was completed, or nil while it is active.
    public var completed: Date?

    /// Creates an item.
    public init(id: UUID, title: String, order: Int, created: Date, updated: Date, completed: Date? = nil) {
        self.id = id
        self.title = title
        self.order = order
        self.created = created
        self.updated = updated
        self.completed = completed
    }
}

/// A change to one stored item.
///
/// A change expresses an intention, not only a result: an update includes the version it started from, so that
/// concurrent changes made elsewhere are preserved. Changes to different fields of one item are both kept. Of two
/// changes to the same field, the later one wins.
public enum ItemChange: Sendable, Equatable {
    /// Adds an item. If its id is already stored, for example because the result of an earlier save was lost, the more
    /// recently changed version is kept as a whole. Retrying a save therefore doesn't undo anything that was changed
    /// elsewhere in the meantime.
    case insert(Item)

    /// Changes the fields in which the two versions differ. If the item was deleted elsewhere, it is restored: an edit
    /// is never lost.
    indirect case update(from: Item, to: Item)

    /// Deletes the item, regardless of other changes to it. It is not an error if the item is already gone.
    case delete(Item.ID)

    /// The id of the item that the change affects.
    public var id: Item.ID {
        switch self {
        case .insert(let item), .update(_, let item): item.id
        case .delete(let id): id
        }
    }

    /// Applies the change to the stored version.
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

extension [Item]: StoredValue {
    /// Merges changes in their order.
    ///
    /// - Complexity: O(*n* + *m*) in the number of items and of changes.
    public mutating func apply(_ changes: [ItemChange]) {
        var ids = map(\.id)
        var items = Dictionary(map { ($0.id, $0) }) { first, _ in first }
        for change in changes {
            if items[change.id] == nil { ids.append(change.id) }
            items[change.id] = change.applied(to: items[change.id])
        }
        self = ids.compactMap { items.removeValue(forKey: $0) }
    }
}

/// Stores the items of a list. Each id occurs once, in no particular order.
public typealias ItemsService = StorageService<[Item]>
