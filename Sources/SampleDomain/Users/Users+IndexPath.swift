extension Users {
    /// The position of a user: the section, and the index in that section.
    public struct IndexPath: Sendable, Hashable, Comparable {
        /// The section.
        public let section: Section

        /// The index in the section, starting at 0.
        public let item: Int

        /// Creates an index path.
        ///
        /// - Parameter item: The index in the section, starting at 0.
        public init(section: Section, item: Int) {
            self.section = section
            self.item = item
        }

        /// Whether one position is above another.
        public static func < (lhs: IndexPath, rhs: IndexPath) -> Bool {
            (lhs.section, lhs.item) < (rhs.section, rhs.item)
        }
    }
}

extension Users.IndexPath: CustomStringConvertible {
    /// The position in the form `online 3`.
    public var description: String { "\(section) \(item)" }
}
