extension Items {
    /// The numbers that define the order of items, with gaps between them for moved items.
    enum Spacing {
        /// The gap left next to an item.
        static let room = 1_000

        /// A number between two neighbours.
        ///
        /// - Returns: The number, or nil if there is no room left.
        static func order(between lower: Int?, and upper: Int?) -> Int? {
            switch (lower, upper) {
            case (nil, nil): return room
            case (let lower?, nil): return valid(lower.addingReportingOverflow(room))
            case (nil, let upper?): return valid(upper.subtractingReportingOverflow(room))
            case (let lower?, let upper?):
                guard let distance = valid(upper.subtractingReportingOverflow(lower)) else {
                    return lower / 2 + upper / 2
                }
                return distance >= 2 ? lower + distance / 2 : nil
            }
        }

        /// The number of the item at an index after renumbering.
        static func order(at index: Int) -> Int {
            (index + 1) * room
        }

        private static func valid(_ result: (partialValue: Int, overflow: Bool)) -> Int? {
            result.overflow ? nil : result.partialValue
        }
    }

    /// The direction in which an item is moved.
    public enum Direction: Sendable, Equatable {
        /// Above the previous item.
        case up
        /// Below the next item.
        case down
    }
}
