public import Foundation

/// What was done to a list at once, and is undone at once: each item concerned, as it was and as it became.
///
/// It holds versions and not the whole list, so that undoing it can leave alone what somebody else has changed since,
/// and a long history stays small.
public struct ItemsStep: Sendable, Equatable, Identifiable {
    /// An item before and after the step.
    public struct Change: Sendable, Equatable {
        /// The item as it was; nil where there was none.
        public let before: Item?

        /// The item as it became; nil where it went.
        public let after: Item?

        /// Makes a change.
        ///
        /// - Parameters:
        ///   - before: The item as it was; nil where there was none.
        ///   - after: The item as it became; nil where it went.
        public init(before: Item?, after: Item?) {
            self.before = before
            self.after = after
        }

        /// The item that the change is about; nil only where there is neither version.
        public var id: Item.ID? { before?.id ?? after?.id }
    }

    /// What never changes about the step, however often it is undone and redone.
    public let id: UUID

    /// The items concerned, each once.
    public let changes: [Change]

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - id: What never changes about the step.
    ///   - changes: The items concerned, each once.
    public init(id: UUID, changes: [Change]) {
        self.id = id
        self.changes = changes
    }
}
