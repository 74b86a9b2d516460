public import Foundation

/// Changes that were made to a list at once and are undone at once: each affected item, before and after.
///
/// A step holds versions of items instead of the whole list. Undoing it can therefore preserve what was changed
/// elsewhere since, and a long history stays small.
public struct ItemsStep: Sendable, Equatable, Identifiable {
    /// An item before and after the step.
    public struct Change: Sendable, Equatable {
        /// The item before the step, or nil if it didn't exist.
        public let before: Item?

        /// The item after the step, or nil if it was deleted.
        public let after: Item?

        /// Creates a change.
        ///
        /// - Parameters:
        ///   - before: The item before the step, or nil if it didn't exist.
        ///   - after: The item after the step, or nil if it was deleted.
        public init(before: Item?, after: Item?) {
            self.before = before
            self.after = after
        }

        /// The id of the item that changed. It is nil only if both versions are nil.
        public var id: Item.ID? { before?.id ?? after?.id }
    }

    /// The identity of the step, which never changes, however often the step is undone and redone.
    public let id: UUID

    /// The changes, one per affected item.
    public let changes: [Change]

    /// The approximate number of bytes that the step needs in a file.
    let size: Int

    /// Creates a step.
    ///
    /// - Parameter changes: The changes, one per affected item.
    /// - Complexity: O(*n*) in the number of changes.
    public init(id: UUID, changes: [Change]) {
        self.id = id
        self.changes = changes
        size = changes.reduce(64) { size, change in
            size + [change.before, change.after].reduce(0) { $0 + ($1.map { $0.title.utf8.count + 192 } ?? 0) }
        }
    }
}
