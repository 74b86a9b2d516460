public import Foundation

extension Items {
    /// The source of dates and ids. Reducers never use it: actions carry the values they need.
    public struct Source: Sendable {
        /// Returns the date of a change made now.
        public var now: @Sendable () -> Date

        /// Returns an unused id.
        public var makeID: @Sendable () -> UUID

        /// Creates a source.
        ///
        /// - Parameters:
        ///   - now: Returns the date of a change made now.
        ///   - makeID: Returns an unused id.
        public init(now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID) {
            self.now = now
            self.makeID = makeID
        }

        /// The system clock and random ids.
        public static let system = Source(now: { .now }, makeID: { UUID() })
    }
}
