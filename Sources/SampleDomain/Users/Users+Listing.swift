public import Foundation
public import SampleServices

extension Users {
    /// The displayed list of all users.
    public struct Listing: Sendable, Hashable {
        /// The users of one section.
        public struct Group: Sendable, Hashable {
            /// The section.
            public let section: Section

            /// The users in their order. There is at least one.
            public let rows: [Row]
        }

        /// One user.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The id of the user.
            public let id: User.ID

            /// The user's name.
            public let name: String

            /// When the user's presence last changed.
            public let since: String

            /// Whether the user is selected.
            public let isSelected: Bool
        }

        /// The sections that aren't empty, in their order.
        public let groups: [Group]

        /// A message to show with the users, in lines of one sentence each. It may be empty.
        public let notice: [String]

        /// Whether the users can't be read. In that case the notice says why.
        public let isFailed: Bool
    }

    /// Formats a date in the past: with only the time if it is today, otherwise with the day before the time.
    public struct MomentStyle: FormatStyle {
        private let now: Date
        private let locale: Locale
        private let timeZone: TimeZone
        private let calendar: Calendar

        /// Creates a style.
        public init(now: Date, locale: Locale, timeZone: TimeZone, calendar: Calendar) {
            self.now = now
            self.locale = locale
            self.timeZone = timeZone
            self.calendar = calendar
        }

        /// Formats the date.
        public func format(_ moment: Date) -> String {
            var calendar = calendar
            calendar.timeZone = timeZone
            let isToday = calendar.isDate(moment, inSameDayAs: now)
            return Date.FormatStyle(
                date: isToday ? .omitted : .abbreviated, time: .shortened, locale: locale, calendar: calendar,
                timeZone: timeZone
            ).format(moment)
        }
    }
}
