public import Foundation

/// A to-do list: active items in their order, and below them the completed ones, most recently completed first.
///
/// - Owns: ``State``, with the list, the draft, the selection, the filter that is applied, the steps to undo, and what
///   isn't saved yet.
/// - Takes: ``Command``, which the rules may reject and which returns an ``Outcome``; ``Import``; ``Effect``, to read
///   and save again after a failure; and the selecting and drafting actions of ``State``.
/// - Sets off: a save after every change, and one of the history after that. A change that couldn't be saved is kept,
///   and marked as unsaved until a later save succeeds.
/// - Follows: what others do to the same list. It is merged with unsaved changes, and saves nothing.
///
/// Undoing a step reverts what it changed, and preserves what was changed elsewhere since. The commands are in
/// `Commands/`, the effects in `Saving/`.
public enum Items {
    /// The source of dates and ids. Reducers never use it: actions carry the values they need.
    public struct Source: Sendable {
        /// Returns the date of a change made now.
        public var now: @Sendable () -> Date

        /// Returns an unused id.
        public var makeID: @Sendable () -> UUID

        /// Creates a source.
        public init(now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID) {
            self.now = now
            self.makeID = makeID
        }

        /// The system clock and random ids.
        public static let system = Source(now: { .now }, makeID: { UUID() })
    }
}
