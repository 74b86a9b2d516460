extension ManualClock {
    /// A point in the time of a manual clock: how far it has been moved since it was made.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was made.
        public let offset: Duration

        /// Makes a point in time.
        ///
        /// - Parameter offset: The time since the clock was made.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// A later or earlier point.
        ///
        /// - Parameter duration: How much later.
        /// - Returns: The point that is so much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this point to another.
        ///
        /// - Parameter other: The other point.
        /// - Returns: How much later the other is.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether one point is before another.
        ///
        /// - Parameters:
        ///   - lhs: One point.
        ///   - rhs: Another.
        /// - Returns: Whether the first is before the second.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }

        /// The offset, such as `1.5 seconds`.
        public var description: String { "\(offset)" }
    }

    /// A task that sleeps on a manual clock.
    public struct Sleeper: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// Tells sleepers of one clock apart. Who came later has the greater one.
        public let id: UInt64

        /// When it wakes.
        public let deadline: Instant

        /// The name of the task that sleeps, if it has one and the platform knows task names.
        public let name: String?

        /// Who sleeps until when, such as `Search until 0.3 seconds`.
        public var description: String { "\(name ?? "a task") until \(deadline)" }
    }
}
