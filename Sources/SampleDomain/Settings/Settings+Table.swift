public import SampleServices

extension Settings {
    /// The contents of the settings screen, from top to bottom.
    public struct Table: Sendable, Hashable {
        /// The sections, in their order.
        public let sections: [Section]

        /// Derives the table from states.
        public init(of state: State, _ appearance: Appearance, profile: ProfileName?) {
            let settings = state.settings
            let theme = settings.theme ?? appearance.theme
            sections =
                [
                    Section(.names, [.displayName(settings.displayName), .listName(settings.listName)]),
                    Section(.appearance, [.theme(theme)]),
                ] + (profile.map { [Section(.session, [.signOut($0)])] } ?? [])
        }

        /// The cells of all sections.
        public var cells: [Cell] { sections.flatMap(\.cells) }
    }

    /// A group of cells.
    public struct Section: Sendable, Hashable, Identifiable {
        /// The kinds of sections.
        public enum Kind: Sendable, Hashable, CaseIterable {
            /// The names of the user and of the list.
            case names
            /// The look of the user interface.
            case appearance
            /// The session of the user.
            case session
        }

        /// The kind of section.
        public let id: Kind

        /// The cells, in their order.
        public let cells: [Cell]

        init(_ id: Kind, _ cells: [Cell]) {
            self.id = id
            self.cells = cells
        }
    }

    /// One row of the table, with the value that it shows.
    public enum Cell: Sendable, Hashable {
        /// The user's name, or an empty string if none was chosen.
        case displayName(String)
        /// The name of the list, or an empty string if none was chosen.
        case listName(String)
        /// The look of the user interface.
        case theme(UserSettings.Theme)
        /// Signs out this profile.
        case signOut(ProfileName)
    }
}
