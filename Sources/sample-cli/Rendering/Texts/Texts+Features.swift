import SampleDomain
import SampleServices

extension Texts {
    static func label(_ kind: Pets.Page.Field.Kind) -> String {
        switch kind {
        case .species: "Species"
        case .born: "Born"
        case .age: "Age"
        case .colour: "Colour"
        case .arrived: "Here since"
        case .phone: "Phone"
        case .about: "About"
        }
    }

    static func title(of section: Users.Section, _ count: Int) -> String {
        switch section {
        case .online: "Online (\(count.formatted()))"
        case .offline: "Offline (\(count.formatted()))"
        }
    }

    static func since(_ moment: String) -> String { "since \(moment)" }

    static func explain(_ passage: Users.Passage) -> String {
        let presence = passage.user.presence == .online ? "online" : "offline"
        let name = passage.user.name.visible
        return passage.isNews ? "\(name) is \(presence) now." : "\(name) was \(presence) already."
    }

    static func complaint(_ error: UsersError) -> Complaint {
        switch error {
        case .noName(let text, let flaw):
            Complaint(
                ["“\(text.shortened(to: 60).visible)” can't be a name. \(flaw.explanation)", flaw.advice],
                as: "invalid-name")
        case .unknown(let name):
            Complaint(
                ["Nobody called “\(name.visible)” has ever been here.", "Look for the name in the list of users."],
                as: "unknown-user")
        case .notNoted(let error):
            Complaint(["\(error.file.visible): \(error.explanation.visible)", error.advice], as: error.code)
        }
    }

    // MARK: Settings and session

    static func title(_ section: Settings.Section.Kind) -> String {
        switch section {
        case .names: "Names"
        case .appearance: "Appearance"
        case .session: "Session"
        }
    }

    static func label(_ cell: Settings.Cell) -> String {
        switch cell {
        case .displayName: "Display name"
        case .listName: "List name"
        case .theme: "Theme"
        case .signOut: "Signed in as"
        }
    }

    static func value(_ cell: Settings.Cell) -> String {
        switch cell {
        case .displayName(let name), .listName(let name): name.isEmpty ? "(none)" : name
        case .theme(let theme): theme.rawValue
        case .signOut(let name): "\(name)  (session logout signs out)"
        }
    }

    static func describe(_ profile: Profile?) -> String {
        profile.map { "\($0.name) is signed in." } ?? "Nobody is signed in."
    }

    static func complaint(_ error: SettingsError) -> Complaint {
        switch error {
        case .tooLong(let limit):
            Complaint(
                "The name is too long: it can have \(limit.formatted()) characters at most.", as: "invalid-value")
        case .severalLines:
            Complaint(
                "The name has a line break or a control character: it has to fit in one line.", as: "invalid-value")
        case .notLoaded(let failure):
            Complaint("The settings can't be read: \(failure.explanation.visible)", as: failure.code)
        }
    }
}

extension String {
    /// The text, truncated to a length and followed by an ellipsis if it is longer.
    fileprivate func shortened(to length: Int) -> String {
        count > length ? prefix(length) + "…" : self
    }
}
