extension Items {
    /// The numbers that keep items in their order, with room between them for those that are moved.
    enum Spacing {
        /// The room that is left beside an item.
        static let room = 1_000

        /// A number between two neighbours.
        ///
        /// - Parameters:
        ///   - lower: The number of the item above; nil where the place is the first one.
        ///   - upper: The number of the item below; nil where the place is the last one.
        /// - Returns: The number, or nil where there is none left.
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

        /// The number of the item at an index when all are numbered anew.
        static func order(at index: Int) -> Int {
            (index + 1) * room
        }

        private static func valid(_ result: (partialValue: Int, overflow: Bool)) -> Int? {
            result.overflow ? nil : result.partialValue
        }
    }
}
