import Foundation
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct PetsAgeTests {
    private func presenter(_ zone: TimeZone, _ now: Date) -> Presenter {
        Presenter(locale: Locale(identifier: "en_AU"), timeZone: zone, now: { now })
    }

    private func age(_ birthday: String, on day: String, zone: TimeZone = .gmt, hour: Int = 12) throws -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let day = try #require(Pet.Day(day))
        let components = DateComponents(year: day.year, month: day.month, day: day.day, hour: hour)
        let now = try #require(calendar.date(from: components))
        return presenter(zone, now).age(since: try #require(Pet.Day(birthday)))
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
        let birthday = try #require(Pet.Day("2022-11-15"))

        // It is the 14th in GMT, and the 15th in Sydney.
        #expect(presenter(.gmt, .sample(0)).age(since: birthday) == "11 months")
        let sydney = try #require(TimeZone(identifier: "Australia/Sydney"))
        #expect(presenter(sydney, .sample(0)).age(since: birthday) == "1 year")
    }
}
