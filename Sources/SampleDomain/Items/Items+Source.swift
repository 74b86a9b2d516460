public import Foundation

extension Items {
    /// Where dates and ids come from. Reducers never ask it: what they need travels in the actions.
    public struct Source: Sendable {
        /// The date of a change made now.
        public var now: @Sendable () -> Date

        /// An id that no item has.
        public var makeID: @Sendable () -> UUID

        /// Makes a source.
        ///
        /// - Parameters:
        ///   - now: The date of a change made now.
        ///   - makeID: An id that no item has.
        public init(now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID) {
            self.now = now
            self.makeID = makeID
        }

        /// The system's clock, and random ids.
        public static let system = Source(now: { .now }, makeID: { UUID() })
    }
}
