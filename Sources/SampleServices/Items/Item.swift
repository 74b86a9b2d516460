public import Foundation

/// One entry of a to-do list.
public struct Item: Sendable, Hashable, Identifiable, Codable {
    /// The identity of the item, which never changes.
    public let id: UUID

    /// The text of the task.
    public var title: String

    /// When the item was created.
    public let created: Date

    /// When the item was completed, or nil while it is active.
    public var completed: Date?

    /// Creates an item. The defaults make a new one.
    public init(_ title: String, id: UUID = UUID(), created: Date = .now, completed: Date? = nil) {
        (self.id, self.title, self.created, self.completed) = (id, title, created, completed)
    }

    /// This version with the fields in which another one differs from a common base.
    public func taking(_ changes: Item, since base: Item) -> Item {
        var item = self
        if changes.title != base.title { item.title = changes.title }
        if changes.completed != base.completed { item.completed = changes.completed }
        return item
    }
}
