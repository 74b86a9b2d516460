public import SampleServices

extension Settings {
    /// The contents of the settings screen: sections that never change, with cells that show what is chosen.
    public struct Table: Sendable, Hashable {
        /// A group of cells.
        public struct Section: Sendable, Hashable {
            /// Its title.
            public let title: String
            /// Its cells.
            public let cells: [Cell]
        }

        /// A row of the table.
        public struct Cell: Sendable, Hashable, Identifiable {
            /// The subject of a cell.
            public enum Kind: Sendable, Hashable, CaseIterable {
                /// The user's name.
                case displayName
                /// The name of the list.
                case listName
                /// The theme.
                case theme
                /// Signing in and out.
                case profile
            }

            /// The subject of the cell.
            public let id: Kind
            /// Its label.
            public let label: String
            /// The value, as it is edited. It may be empty.
            public let value: String
        }

        /// The sections, from top to bottom.
        public let sections: [Section]

        /// Makes the table.
        public init(_ settings: UserSettings, _ profile: Profile) {
            sections = [
                Section(
                    title: "Names",
                    cells: [
                        Cell(id: .displayName, label: "Display name", value: settings.displayName),
                        Cell(id: .listName, label: "List name", value: settings.listName),
                    ]),
                Section(
                    title: "Appearance", cells: [Cell(id: .theme, label: "Theme", value: settings.theme.rawValue)]),
                Section(
                    title: "Session", cells: [Cell(id: .profile, label: "Signed in as", value: profile.name ?? "")]),
            ]
        }

        /// All cells.
        public var cells: [Cell] { sections.flatMap(\.cells) }
    }
}
