import Foundation

/// Dates in the format of the files: ISO 8601 in UTC, with milliseconds.
///
/// A list of a hundred thousand items contains two hundred thousand dates. Dates in the usual form are therefore parsed
/// and formatted here. Foundation handles all others.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The number of days from 1970-01-01 to the reference date of `Date`.
    private static let referenceDay = 11_323

    /// The dates formatted here, in milliseconds from the reference date: from 1600-03-01 to the end of 9999.
    private static let usual = Double(days(to: 1_600, 3, 1)) * 86_400_000..<Double(days(to: 10_000, 1, 1)) * 86_400_000

    /// Parses a date. The result is nil if the text isn't one.
    static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date($0[...]) } ?? (try? style.parse(text))
    }

    /// Parses a date in exactly the form written here. The result is nil for anything else.
    static func date(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Date? {
        // The form is 2001-02-03T04:05:06.789Z.
        guard text.count == 24, text[offset: 4] == UInt8(ascii: "-"), text[offset: 7] == UInt8(ascii: "-"),
            text[offset: 10] == UInt8(ascii: "T"), text[offset: 13] == UInt8(ascii: ":"),
            text[offset: 16] == UInt8(ascii: ":"), text[offset: 19] == UInt8(ascii: "."),
            text[offset: 23] == UInt8(ascii: "Z"),
            let year = text.number(at: 0, 4), let month = text.number(at: 5, 2), let day = text.number(at: 8, 2),
            let hour = text.number(at: 11, 2), let minute = text.number(at: 14, 2),
            let second = text.number(at: 17, 2), let millisecond = text.number(at: 20, 3),
            // Calendars differ before the Gregorian one was adopted.
            year >= 1_600, (1...12).contains(month), (1...length(ofMonth: month, in: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = (days(to: year, month, day) * 24 + hour) * 3_600 + minute * 60 + second
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(millisecond) / 1_000)
    }

    /// Formats a date.
    static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of a date.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1_000).rounded()
        guard usual.contains(milliseconds) else {
            // The style truncates to milliseconds. Without the added half, a date that was read could be written one
            // millisecond earlier, and would become earlier with every save.
            let date = min(max(date, .distantPast), .distantFuture).addingTimeInterval(0.000_5)
            return bytes += style.format(date).utf8
        }
        let (day, time) = Int(milliseconds - usual.lowerBound).quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, dayOfMonth) = components(ofDay: day)
        bytes.append(digits: year, 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: month, 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digits: dayOfMonth, 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(digits: time / 3_600_000, 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: time / 60_000 % 60, 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digits: time / 1_000 % 60, 2)
        bytes.append(UInt8(ascii: "."))
        bytes.append(digits: time % 1_000, 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The date as it will be read back, rounded to milliseconds.
    static func rounded(_ date: Date) -> Date {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        let milliseconds = ((date.timeIntervalSinceReferenceDate - seconds) * 1_000).rounded()
        return Date(timeIntervalSinceReferenceDate: seconds + milliseconds / 1_000)
    }
}

// MARK: - Calendar

extension Timestamp {
    /// The number of days of a month.
    static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days from the reference date to a day. Years start in March here, so that a leap day is the last
    /// day of its year.
    ///
    /// The algorithm, and that of ``components(ofDay:)``, is Howard Hinnant's (*chrono-Compatible Low-Level Date
    /// Algorithms*).
    private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let (era, yearOfEra) = year.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 - referenceDay
    }

    /// The date of a day, counted from 1600-03-01. This is the inverse of ``days(to:_:_:)``.
    private static func components(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = 1_600 + era * 400 + yearOfEra
        return (month < 10 ? year : year + 1, (month + 2) % 12 + 1, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}

extension [UInt8] {
    /// Appends the last decimal digits of a number.
    fileprivate mutating func append(digits number: Int, _ count: Int) {
        if count > 1 { append(digits: number / 10, count - 1) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate subscript(offset offset: Int) -> UInt8 { self[startIndex + offset] }

    /// Parses a fixed number of digits. The result is nil if any byte isn't a digit.
    fileprivate func number(at offset: Int, _ count: Int) -> Int? {
        var number = 0
        for index in offset..<offset + count {
            let digit = self[offset: index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }
}
