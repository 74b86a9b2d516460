import Foundation
import SampleServices

extension Presenter {
    /// Returns the list of all users to show.
    public func listing(of state: Users.State) -> Users.Listing {
        let roster = state.roster.value ?? Users.Roster()
        let groups = Users.Section.allCases.compactMap { section -> Users.Listing.Group? in
            let rows = roster.users(in: section).map {
                Users.Listing.Row(id: $0.id, name: $0.name, since: moment($0.since))
            }
            return rows.isEmpty ? nil : Users.Listing.Group(section: section, rows: rows)
        }
        return Users.Listing(groups: groups, notice: notice(of: state), isFailed: state.roster.failure != nil)
    }

    /// Returns an error as text: a sentence with the place and the explanation, and one with the advice.
    public func explain(_ error: StorageError) -> [String] {
        ["\(error.file): \(error.explanation)", error.advice]
    }

    private func notice(of state: Users.State) -> [String] {
        switch state.roster {
        case .loading: ["Checking who is online."]
        case .failed(let error, let previous):
            explain(error) + (previous == nil ? [] : ["The list is from before this error."])
        case .loaded(let roster) where roster.isEmpty: ["Nobody has been here yet."]
        case .idle, .loaded: []
        }
    }

    /// A date in the past: only the time if it was today, otherwise the day and the time.
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
