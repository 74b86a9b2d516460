import Foundation
import Testing

@testable import SampleServices

@Suite struct TimestampTests {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test(arguments: [
        "1600-02-29T00:00:00.000Z", "1899-12-31T23:59:59.999Z", "1900-02-28T12:00:00.001Z", "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:00:00.000Z", "2000-02-29T23:59:59.500Z", "2000-12-31T00:00:00.000Z", "2001-01-01T00:00:00.000Z",
        "2024-02-29T07:08:09.010Z", "2026-03-01T00:00:00.123Z", "2100-02-28T23:59:59.999Z", "3999-10-31T01:02:03.004Z",
        "1600-01-01T00:00:00.000Z", "1600-03-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
    ])
    func `the usual dates are read as Foundation reads them, and written as they were`(text: String) throws {
        let expected = try Self.style.parse(text)

        let date = try #require(Timestamp.date(text))

        #expect(abs(date.timeIntervalSince(expected)) < 0.000_1)
        #expect(Timestamp.text(date) == text)
        #expect(Timestamp.rounded(date) == date)
    }

    @Test func `every day of four hundred years is written as Foundation writes it`() {
        for day in 0..<146_097 {
            let date = Date(timeIntervalSinceReferenceDate: Double(day - 73_000) * 86_400 + 43_200.25)
            let text = Timestamp.text(date)
            if day % 97 == 0 { #expect(text == Self.style.format(date.addingTimeInterval(0.000_5))) }
            #expect(Timestamp.date(text) == date)
        }
    }

    @Test(arguments: [
        "2026-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
        "2026-04-31T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z", "2026-01-01 00:00:00.000Z",
        "2026-01-01T00:00:00.00xZ", "2026-01-01T00:00:00.000", "noon", "",
    ])
    func `an unusual date is left to Foundation`(text: String) {
        #expect(Timestamp.date(text) == (try? Self.style.parse(text)))
    }

    @Test func `dates beyond all calendars can still be written`() throws {
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -1e300)] {
            #expect(try abs(Self.style.parse(Timestamp.text(date)).timeIntervalSince(date)) < 1 || date < .distantPast)
        }
    }
}
