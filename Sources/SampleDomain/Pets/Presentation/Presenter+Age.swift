import Foundation
import SampleServices

extension Presenter {
    /// Returns an age: in years, in months if it is below one year, and in days if it is below one month. The result is
    /// nil for a day in the future.
    ///
    /// The age of somebody born on 29 February increases on 1 March in years without that day.
    func age(since birthday: Pet.Day) -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let today = calendar.dateComponents([.year, .month, .day], from: now())
        guard let year = today.year, let month = today.month, let day = today.day else { return nil }
        let months = (year - birthday.year) * 12 + month - birthday.month - (day < birthday.day ? 1 : 0)
        if months >= 12 { return count(months / 12, "year") }
        if months >= 1 { return count(months, "month") }
        guard months == 0, let first = birthday.noon, let last = Pet.Day(year: year, month: month, day: day)?.noon
        else { return nil }
        return count(Int((last.timeIntervalSince(first) / 86_400).rounded()), "day")
    }

    private func count(_ number: Int, _ unit: String) -> String {
        "\(number.formatted(.number.locale(locale))) \(unit)\(number == 1 ? "" : "s")"
    }
}

extension Pet.Day {
    /// The middle of the day in GMT.
    var noon: Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
    }
}
