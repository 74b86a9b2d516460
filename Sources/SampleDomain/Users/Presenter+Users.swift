import Foundation
public import SampleServices

extension Users {
    /// The users to show, in sections.
    public struct Listing: Sendable, Hashable, Encodable {
        /// Those who are online, or those who aren't.
        public struct Section: Sendable, Hashable, Encodable {
            /// Whether these users are online.
            public let isOnline: Bool
            /// The users, by name.
            public let rows: [Row]
        }

        /// One user.
        public struct Row: Sendable, Hashable, Identifiable, Encodable {
            /// The identity of the user.
            public let id: User.ID
            /// The user's name.
            public let name: String
            /// Since when the presence is as it is.
            public let since: String
        }

        /// The sections that aren't empty.
        public let sections: [Section]
        /// A notice: that users are being loaded, or why they can't be.
        public let notice: String?
        /// Whether the notice is about a failure.
        public let isFailed: Bool
    }
}

extension Presenter {
    /// Returns the users to show.
    public func listing(of state: Users.State) -> Users.Listing {
        let users = state.roster.value.map(Array.init) ?? []
        let sections = [true, false].map { isOnline in
            Users.Listing.Section(
                isOnline: isOnline,
                rows: users.filter { $0.isOnline == isOnline }.map { user in
                    Users.Listing.Row(id: user.id, name: user.name, since: "since \(moment(user.since))")
                })
        }
        return Users.Listing(
            sections: sections.filter { !$0.rows.isEmpty }, notice: notice(of: state),
            isFailed: state.roster.failure != nil)
    }

    private func notice(of state: Users.State) -> String? {
        switch state.roster {
        case .idle, .loading: "Checking who is online."
        case .failed(let error, _): error.description
        case .loaded(let users): users.isEmpty ? "Nobody has been here yet." : nil
        }
    }

    /// The time of today, or the day before today.
    private func moment(_ date: Date) -> String {
        var calendar = calendar
        calendar.timeZone = timeZone
        let isToday = calendar.isDate(date, inSameDayAs: now())
        return Date.FormatStyle(
            date: isToday ? .omitted : .abbreviated, time: .shortened, locale: locale, calendar: calendar,
            timeZone: timeZone
        ).format(date)
    }
}
