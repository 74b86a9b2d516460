public import Foundation
import Relux
public import SampleServices

extension Users {
    /// Converts the state to text for display.
    ///
    /// A front end shows the texts unchanged and decides only on their layout. Texts from the service are not sanitized
    /// for a terminal.
    public struct Presenter: Sendable {
        /// The locale for dates.
        public var locale: Locale

        /// The time zone of the displayed times.
        public var timeZone: TimeZone

        /// The calendar for years, months, and days.
        public var calendar: Calendar

        /// Returns the current date.
        public var now: @Sendable () -> Date

        /// Creates a presenter. The defaults are the user's settings.
        public init(
            locale: Locale = .current,
            timeZone: TimeZone = .current,
            calendar: Calendar = .current,
            now: @escaping @Sendable () -> Date = { .now }
        ) {
            self.locale = locale
            self.timeZone = timeZone
            self.calendar = calendar
            self.now = now
        }
    }
}

extension Users.Presenter {
    /// Returns the list of all users to show.
    public func listing(of state: Users.State) -> Users.Listing {
        let roster = state.roster.value ?? Users.Roster()
        let groups = Users.Section.allCases.compactMap { section -> Users.Listing.Group? in
            let rows = roster.users(in: section).map { row(of: $0, isSelected: $0.id == state.selection) }
            return rows.isEmpty ? nil : Users.Listing.Group(section: section, rows: rows)
        }
        return Users.Listing(
            groups: groups, notices: notices(of: state), isFailed: state.roster.failure != nil
        )
    }

    /// Returns one change as text: one sentence or, for an error with a place, several.
    public func lines(of change: Users.Change) -> [String] {
        switch change {
        case .arrived(let user): ["\(user.name) is online, since \(moment(user.since))."]
        case .left(let user), .appeared(let user): ["\(user.name) is offline, since \(moment(user.since))."]
        case .vanished(let user): ["\(user.name) is not known any more."]
        case .renamed(let user, let name): ["\(name) is called \(user.name) now."]
        case .damaged(let error): explain(error)
        case .mended(let error): ["\(error.file): It isn't in the way any more."]
        }
    }

    /// Returns an error as text: a sentence with the place and the explanation, and one with the advice.
    public func explain(_ error: UsersServiceError) -> [String] {
        ["\(error.file): \(error.explanation)", error.advice]
    }

    private func notices(of state: Users.State) -> [[String]] {
        var notices: [[String]] = []
        switch state.roster {
        case .loading: notices.append(["Looking who is there."])
        case .failed(let error, let previous):
            notices.append(explain(error) + (previous == nil ? [] : ["What is shown was so before."]))
        case .loaded where state.count == 0 && state.damages.isEmpty: notices.append(["Nobody has been here yet."])
        case .idle, .loaded: break
        }
        return notices + state.damages.map(explain)
    }

    private func row(of user: User, isSelected: Bool) -> Users.Listing.Row {
        Users.Listing.Row(id: user.id, name: user.name, since: moment(user.since), isSelected: isSelected)
    }

    private func moment(_ date: Date) -> String {
        Users.MomentStyle(now: now(), locale: locale, timeZone: timeZone, calendar: calendar).format(date)
    }
}
