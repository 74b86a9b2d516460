import Foundation

extension Date {
    /// The date in JSON output: ISO 8601 in UTC, to the millisecond.
    var json: String {
        // Half a millisecond is added, because the style truncates instead of rounding.
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(addingTimeInterval(0.000_5))
    }
}
