extension Users {
    /// Where a user stands: in which section, and how far down in it.
    public struct IndexPath: Sendable, Hashable, Comparable {
        /// The section.
        public let section: Section

        /// The position in the section, counted from zero.
        public let item: Int

        /// Makes an index path.
        ///
        /// - Parameters:
        ///   - section: The section.
        ///   - item: The position in the section, counted from zero.
        public init(section: Section, item: Int) {
            self.section = section
            self.item = item
        }

        /// Whether one place is above another.
        public static func < (lhs: IndexPath, rhs: IndexPath) -> Bool {
            (lhs.section, lhs.item) < (rhs.section, rhs.item)
        }
    }
}

extension Users.IndexPath: CustomStringConvertible {
    /// As in `online 3`.
    public var description: String { "\(section) \(item)" }
}
