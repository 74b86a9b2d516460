import Foundation
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct PetsStylesTests {
    private func age(_ birthday: String, on day: String, zone: TimeZone = .gmt, hour: Int = 12) throws -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let day = try #require(Pet.Day(day))
        let components = DateComponents(year: day.year, month: day.month, day: day.day, hour: hour)
        let now = try #require(calendar.date(from: components))
        let style = Pets.AgeStyle(now: now, timeZone: zone, locale: Locale(identifier: "en_AU"))
        return style.format(try #require(Pet.Day(birthday)))
    }

    @Test(
        arguments: [
            ("2023-11-15", "2023-11-15", "0 days"), ("2023-11-14", "2023-11-15", "1 day"),
            ("2023-10-16", "2023-11-15", "30 days"), ("2023-10-15", "2023-11-15", "1 month"),
            ("2023-01-31", "2023-02-28", "28 days"), ("2023-01-31", "2023-03-01", "1 month"),
            ("2022-11-16", "2023-11-15", "11 months"), ("2022-11-15", "2023-11-15", "1 year"),
            ("2020-02-29", "2023-02-28", "2 years"), ("2020-02-29", "2023-03-01", "3 years"),
            ("0900-01-01", "2023-01-01", "1,123 years"),
        ])
    func `an age is in years, below one in months, and below one in days`(
        birthday: String,
        day: String,
        age: String
    ) throws {
        #expect(try self.age(birthday, on: day) == age)
    }

    @Test(arguments: ["2023-11-16", "2023-12-01", "2024-01-01"])
    func `a birthday in the future has no age`(birthday: String) throws {
        #expect(try age(birthday, on: "2023-11-15") == nil)
    }

    @Test func `a day ends at the reader's midnight`() throws {
        let style = { (zone: TimeZone) in
            Pets.AgeStyle(now: .sample(0), timeZone: zone, locale: Locale(identifier: "en_AU"))
        }
        let birthday = try #require(Pet.Day("2022-11-15"))

        // It is the 14th in GMT, and the 15th in Sydney.
        #expect(style(.gmt).format(birthday) == "11 months")
        #expect(style(try #require(TimeZone(identifier: "Australia/Sydney"))).format(birthday) == "1 year")
    }

    @Test(
        arguments: [
            ("+61285550143", "+61 2 8555 0143"), ("+61 2-8555-0143", "+61 2 8555 0143"),
            ("+12125550143", "+1 212 555 0143"), ("+442079460018", "+44 20 7946 0018"),
            ("+33123456789", "+33 1 23 45 67 89"), ("+6491234567", "+64 9 123 4567"),
            ("+3584012345678", "+358 401 234 5678"), ("+4930123456", "+493 012 3456"),
            ("+6128555", "+612 8555"), ("+44207946001", "+442 079 460 01"),
        ])
    func `a telephone number is written in groups`(number: String, text: String) {
        #expect(Pets.PhoneStyle().format(number) == text)
    }

    @Test(arguments: ["", "+", "0285550143", "+123", "+1234567890123456", "+61 call me", "+６１285550143", "ask Ann"])
    func `text that isn't an international number is unchanged`(number: String) {
        #expect(Pets.PhoneStyle().format(number) == number)
    }
}
