public import Foundation

/// One entry of a to-do list.
///
/// Equality compares every field. This is only the stored value. The domain decides which items may be changed, and
/// how.
public struct Item: Sendable, Equatable, Codable, Identifiable {
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
    ///
    /// - Parameters:
    ///   - order: The position among the active items, smallest first.
    ///   - completed: When the item was completed, or nil if it is active.
    public init(id: UUID, title: String, order: Int, created: Date, updated: Date, completed: Date? = nil) {
        self.id = id
        self.title = title
        self.order = order
        self.created = created
        self.updated = updated
        self.completed = completed
    }
}
