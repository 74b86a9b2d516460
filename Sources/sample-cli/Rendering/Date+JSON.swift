import Foundation

extension Date {
    /// The date as scripts get it: ISO 8601 in UTC, to the millisecond.
    var json: String {
        // Half a millisecond more, because the style cuts off instead of rounding.
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(addingTimeInterval(0.000_5))
    }
}
