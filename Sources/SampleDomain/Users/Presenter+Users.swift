import Foundation
import SampleServices

extension Presenter {
    /// Returns the list of all users to show.
    public func listing(of state: Users.State) -> Users.Listing {
        let roster = state.roster.value ?? Users.Roster()
        let groups = Users.Section.allCases.compactMap { section -> Users.Listing.Group? in
            let rows = roster.users(in: section).map { row(of: $0, isSelected: $0.id == state.selection) }
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
        case .loading: ["Looking who is there."]
        case .failed(let error, let previous):
            explain(error) + (previous == nil ? [] : ["What is shown was so before."])
        case .loaded(let roster) where roster.isEmpty: ["Nobody has been here yet."]
        case .idle, .loaded: []
        }
    }

    private func row(of user: User, isSelected: Bool) -> Users.Listing.Row {
        Users.Listing.Row(id: user.id, name: user.name, since: moment(user.since), isSelected: isSelected)
    }

    private func moment(_ date: Date) -> String {
        Users.MomentStyle(now: now(), locale: locale, timeZone: timeZone, calendar: calendar).format(date)
    }
}
