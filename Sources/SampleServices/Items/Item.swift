public import Foundation

/// One entry of a to-do list.
///
/// Equality is by every field. Which items may be changed, and how, is the domain's business: this is only what is
/// stored.
public struct Item: Sendable, Equatable, Codable, Identifiable {
    /// What never changes about the item.
    public let id: UUID

    /// What there is to do. Stored as it is; the domain sees to it that it isn't blank.
    public var title: String

    /// Where the item stands among the active ones: smaller comes first. Two items may have the same order, as when
    /// two processes add at the same time; ``created`` and then ``id`` decide then.
    public var order: Int

    /// When the item was made.
    public let created: Date

    /// When the item was changed last.
    public var updated: Date

    /// When the item was completed; nil while it is active.
    public var completed: Date?

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - id: What never changes about the item.
    ///   - title: What there is to do.
    ///   - order: Where it stands among the active ones, smaller first.
    ///   - created: When it was made.
    ///   - updated: When it was changed last.
    ///   - completed: When it was completed, or nil.
    public init(id: UUID, title: String, order: Int, created: Date, updated: Date, completed: Date? = nil) {
        self.id = id
        self.title = title
        self.order = order
        self.created = created
        self.updated = updated
        self.completed = completed
    }
}
