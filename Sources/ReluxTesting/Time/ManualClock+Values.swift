extension ManualClock {
    /// A point in the time of a manual clock, measured from the clock's creation.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was created.
        public let offset: Duration

        /// Creates an instant.
        ///
        /// - Parameter offset: The time since the clock was created.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// Returns the instant that is later by a duration, or earlier if the duration is negative.
        ///
        /// The offset is clamped to the greatest and the least duration.
        public func advanced(by duration: Duration) -> Instant {
            let (sum, isOverflow) = offset.attoseconds.addingReportingOverflow(duration.attoseconds)
            guard isOverflow else { return Instant(offset: Duration(attoseconds: sum)) }
            return Instant(offset: Duration(attoseconds: duration < .zero ? .min : .max))
        }

        /// Returns the time from this instant to another, which is negative if the other is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether the first instant is before the second.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }

        /// The offset, such as `1.5 s`.
        public var description: String { offset.decimalText }
    }

    /// A task that sleeps on a manual clock.
    public struct Sleeper: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// Identifies the sleeper on its clock. Later sleepers have greater ids.
        public let id: UInt64

        /// The instant at which it wakes.
        public let deadline: Instant

        /// The name of the sleeping task, if it has one and the platform supports task names.
        public let name: String?

        /// The sleeper's name and deadline, such as `Search until 0.3 s`.
        public var description: String { "\(name ?? "a task") until \(deadline)" }
    }
}
