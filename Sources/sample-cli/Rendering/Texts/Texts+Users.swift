import SampleDomain
import SampleServices

extension Texts {
    static let usersSummary = "Shows who is there, and lets people in and out."
    static let usersListSummary = "Shows who is online and who is offline, each by name."
    static let usersArriveSummary = "Notes that somebody is online."
    static let usersLeaveSummary = "Notes that somebody is offline."

    static let nameOperand = "The name. Several words make one name."

    static let usersNameNote = """
        A name has up to \(User.Name.longest) characters, and neither slashes nor dots nor control characters. Upper and lower
        case don't matter: “Ann” and “ann” are one user.
        """
    static let usersJSONNote = """
        With --json, a command prints one object on success:
          outcome   "listed", "arrived", "left" or "unchanged"
          users     the users concerned, in their order, each an object with
            id        text
            name      text
            presence  "online" or "offline"
            since     ISO 8601 in UTC
          problems  the files that can't be read, each an object with
            file      its path
            text      what is wrong
        """

    static func title(of section: Users.Section, _ count: Int) -> String {
        switch section {
        case .online: "Online (\(count.formatted()))"
        case .offline: "Offline (\(count.formatted()))"
        }
    }

    static func since(_ moment: String) -> String { "since \(moment)" }

    static func explain(_ passage: Passage) -> String {
        let presence = passage.user.presence == .online ? "online" : "offline"
        let name = passage.user.name.visible
        return passage.isNews ? "\(name) is \(presence) now." : "\(name) was \(presence) already."
    }

    static func explain(_ error: UsersError) -> [String] {
        switch error {
        case .noName(let text, let flaw):
            ["“\(text.shortened(to: 60).visible)” can't be a name. \(flaw.explanation)", flaw.advice]
        case .notNoted(let error): ["\(error.file.visible): \(error.explanation.visible)", error.advice]
        }
    }
}

extension String {
    /// The text, truncated to a length and followed by an ellipsis if it is longer.
    fileprivate func shortened(to length: Int) -> String {
        count > length ? prefix(length) + "…" : self
    }
}
