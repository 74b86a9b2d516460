import SampleDomain
import SampleServices

extension Texts {
    static let watchSummary = "Shows every change that any program makes, until it is interrupted."
    static let watchNote = """
        It begins with a line that says whose data they are, and shows from then on what happens to the list and the
        settings of whoever is signed in, who signs in or out, and who comes and goes. What is there at the beginning isn't
        listed: items list, settings list and users list show it. Control-C ends it with status 130.
        """
    static let watchLossNote = """
        Who reads slowly, or not at all for a while, gets what is different by then: of several changes of one thing the
        last one, and nothing of something that is again as it was. What a file hides that can't be read is shown when it
        can be again; that is told on standard error.
        """
    static let watchJSONNote = """
        With --json, it prints one object in a line of its own for every change, each with all of these:
          feature  "session", "items", "settings" or "users"
          change   for the session "watching" (the first one), "signedIn" or "signedOut"; for an item "added", "renamed",
                   "completed", "reopened", "moved" or "deleted"; for a setting "changed"; for a user "arrived", "left",
                   "appeared" (known now, and offline), "vanished" or "renamed"; for a file "damaged" or "mended"
          profile  the name of the profile that is signed in, or null
          count    for the session the number of items on the list, where it can be read, or null
          item     null, or an object with id, title, position (from 1, or null), created, updated and completed
                   (ISO 8601 in UTC, or null)
          setting  null, or an object with name and value, both texts
          user     null, or an object with id, name, presence and since
          before   the title or name before it was "renamed", the position before it was "moved", or null
          problem  null, or an object with file and text
        """

    static let longestWord = 9

    static func word(for change: Items.Change) -> String {
        switch change {
        case .added: added
        case .renamed: "Renamed"
        case .completed: "Completed"
        case .reopened: "Reopened"
        case .moved: "Moved"
        case .deleted: deleted
        }
    }

    /// The text after the title, or nil for none.
    static func remark(on change: Items.Change) -> String? {
        switch change {
        case .renamed(_, let title): "(was “\(title)”)"
        case .moved(_, let from, let to): "(from \(from.formatted()) to \(to.formatted()))"
        case .added, .completed, .reopened, .deleted: nil
        }
    }

    static func describe(_ entrance: Application.Entrance) -> String {
        let list =
            switch entrance.count {
            case nil: "The list can't be read."
            case 0: "The list is empty."
            case 1: "There is 1 item on the list."
            case let count?: "There are \(count.formatted()) items on the list."
            }
        return (entrance.isFirst ? "Watching. " : "") + describe(entrance.profile) + " " + list
    }

    static func describe(_ setting: Settings.Setting) -> String {
        let cell: Settings.Cell =
            switch setting {
            case .displayName(let name): .displayName(name)
            case .listName(let name): .listName(name)
            case .theme(let theme): .theme(theme)
            }
        return "\(label(cell)) is \(value(cell)) now."
    }

    static func lines(of problem: Application.Problem) -> [String] {
        ["\(problem.place.visible): \(problem.explanation.visible)", problem.advice]
    }

    static func mended(_ problem: Application.Problem) -> String {
        "\(problem.place.visible): It isn't in the way any more."
    }
}
