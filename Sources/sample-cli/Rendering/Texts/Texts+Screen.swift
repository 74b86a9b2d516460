import SampleDomain
import SampleServices

extension Texts {
    static let noTerminal = [
        "The full-screen interface needs a terminal on standard input and standard output.",
        "For scripts there are the other commands, as in: sample-cli items list --json",
    ]
    static let poorTerminal = [
        "This terminal can't place its cursor (TERM is unset or “dumb”), so nothing can be shown full-screen.",
        "The other commands work here, as in: sample-cli items list",
    ]
    static let logOnScreen = [
        "The log would be written across the screen.", "Send it to a file: sample-cli tui --verbose 2>log",
    ]
    static let inBackground = [
        "The full-screen interface can't run in the background.", "Start it without &, or with fg.",
    ]
    static let perhapsLost = "The last changes may not have been saved. “sample-cli items list” shows what is there."
    static let lost = "The last changes could not be saved."
}

// MARK: Screen contents

extension Texts {
    static let loading = "Loading."
    static let emptyListOnScreen = "There is nothing on the list: a adds an item."
    static let nothingFound = "Nothing on the list has this text."
    static let filtered = ", filtered"
    static let selectedMark = "+"
    static let retryHint = "(r tries again)"

    static func title(_ tab: RootView.Tab, _ props: RootProps) -> String {
        switch tab {
        case .items: props.settings?.listName.isEmpty == false ? props.settings?.listName ?? "" : "Items"
        case .pets: "Pets"
        case .users: "Users"
        case .settings: "Settings"
        }
    }

    static func name(of profile: Profile) -> String { profile.name?.visible ?? "nobody signed in" }

    static let filter = "Filter:"
    static let signInAs = "Sign in as (empty: nobody):"
    static let reallyLeave = "The last changes can't be saved. Leave, and lose them? y/n"

    static func reallyDelete(_ rows: [Items.Listing.Row]) -> String {
        rows.count == 1 ? "Delete? y/n  \(rows[0].title)" : "Delete \(rows.count.formatted()) items? y/n"
    }

    static func changedElsewhere(_ title: String) -> String { "(now “\(title)”)" }

    static func dropped(_ text: String) -> String { "Not saved, because it has no place any more: \(text)" }
}

// MARK: Keys

extension Texts {
    static let commonHints = "? keys  q quit"
    static let helpHints = "Any key goes back."
    static let petsHints = "Enter open  R reload"
    static let petHints = "Esc back"
    static let usersHints = "↑↓ select"
    static let settingsHints = "Enter change"

    static func itemsHints(isFiltered: Bool, selected: Int) -> String {
        if selected > 0 { return "\(selected.formatted()) selected  Space done  d delete  x select  Esc none" }
        return "Space done  a add  e edit  d delete  u undo  / filter" + (isFiltered ? "  Esc all" : "")
    }

    /// Those of the items are with their screen.
    static let keys: [(keys: String, meaning: String)] =
        [
            ("1–4, Tab", "Items, Pets, Users, Settings"),
            ("↑ ↓ PgUp PgDn Home End", "go through a list; k j g G as well"),
        ] + itemKeys + [
            ("Enter", "open a pet; change a setting"),
            ("Esc, ←", "back from a pet"),
            ("r", "save again what could not be saved"),
            ("^C, q", "interrupt, quit"),
        ]
}
