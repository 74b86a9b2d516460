public import SampleServices

extension Settings {
    /// What is on the screen of the settings, from top to bottom.
    public struct Table: Sendable, Hashable {
        /// The sections, in their order.
        public let sections: [Section]

        /// Derives the table from states.
        ///
        /// - Parameters:
        ///   - state: What was chosen.
        ///   - appearance: What counts where no theme was chosen.
        ///   - profile: Who is signed in, or nil; then nobody can sign out.
        public init(of state: State, _ appearance: Appearance, profile: ProfileName?) {
            let settings = state.settings
            let theme = settings.theme ?? appearance.theme
            sections =
                [
                    Section(.names, [.displayName(settings.displayName), .listName(settings.listName)]),
                    Section(.appearance, [.theme(theme)]),
                    Section(.news, [.marketingEmails(settings.wantsMarketingEmails)]),
                ] + (profile.map { [Section(.session, [.signOut($0)])] } ?? [])
        }

        /// The cells of all sections.
        public var cells: [Cell] { sections.flatMap(\.cells) }
    }

    /// Cells that belong together.
    public struct Section: Sendable, Hashable, Identifiable {
        /// Which section it is.
        public enum Kind: Sendable, Hashable, CaseIterable {
            /// What things are called.
            case names
            /// What things look like.
            case appearance
            /// What the user gets told.
            case news
            /// Who the user is.
            case session
        }

        /// Which section it is.
        public let id: Kind

        /// The cells, in their order.
        public let cells: [Cell]

        init(_ id: Kind, _ cells: [Cell]) {
            self.id = id
            self.cells = cells
        }
    }

    /// One line of the table, with what it shows.
    public enum Cell: Sendable, Hashable {
        /// What the user wants to be called; empty where they haven't said.
        case displayName(String)

        /// What the list is called; empty where they haven't said.
        case listName(String)

        /// How everything looks.
        case theme(UserSettings.Theme)

        /// Whether the user wants to get marketing e-mails.
        case marketingEmails(Bool)

        /// Signs out who is signed in.
        case signOut(ProfileName)
    }
}
