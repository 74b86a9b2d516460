import Relux
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
    static let perhapsLost = [
        "The last changes may not have been saved.",
        "“sample-cli items list” shows what is there.",
    ]

    /// What is lost, and why, as far as that is known.
    static func lost(_ items: Items.State?, _ settings: Settings.State?) -> [String] {
        let changes = items?.unsavedChanges ?? []
        var names = changes.prefix(3).map { change in
            (items?.list[change.id]?.title.visible).map { "“\($0)”" } ?? "a deletion"
        }
        if changes.count > 3 { names.append(more(changes.count - 3)) }
        if settings?.hasUnsavedChanges == true { names.append("the settings") }
        let failure = items?.saving.failure ?? settings?.saving.failure
        return ["Changes could not be saved, and are lost: \(names.joined(separator: ", "))"]
            + (failure.map { [explain($0)[0]] } ?? [])
    }
}

// MARK: Screen contents

extension Texts {
    static let loading = "Loading."
    static let emptyListOnScreen = "There is nothing on the list: a adds an item."
    static let nothingFound = "Nothing on the list has these words."
    static let filtered = ", filtered"
    static let unsavedMark = " *"
    static let selectedMark = "+"

    /// The name of the profile that is signed in, or nothing as long as that isn't known.
    static func name(of standing: Session.State.Standing) -> String {
        switch standing {
        case .unknown: ""
        case .nobody: "nobody signed in"
        case .signedIn(let profile): profile.name.text
        }
    }

    static func title(_ tab: RootView.Tab, _ props: RootProps) -> String {
        switch tab {
        case .items: props.listName.isEmpty ? "Items" : props.listName
        case .pets: "Pets"
        case .users: "Users"
        case .settings: "Settings"
        }
    }

    static func valueOnScreen(_ cell: Settings.Cell) -> String {
        if case .signOut(let name) = cell { "\(name)  (Enter signs out)" } else { value(cell) }
    }

    static let newItem = "New item"
    static let newTitle = "Title"
    static let filter = "Filter:"
    static let displayNameLabel = "Display name"
    static let listNameLabel = "List name"
    static let profileLabel = "Sign in as"
    static let reallyLeave = "Changes aren't saved. Leave, and lose them? y/n"

    static func reallyDelete(_ title: String) -> String { "Delete? y/n  \(title)" }

    static func reallyDelete(selected count: Int) -> String {
        count == 1 ? "Delete the selected item? y/n" : "Delete the \(count.formatted()) selected items? y/n"
    }

    static func reallySignOut(_ name: ProfileName) -> String { "Sign out? y/n  \(name)" }
}

// MARK: Keys

extension Texts {
    static let commonHints = "? keys  q quit"
    static let helpHints = "Any key goes back."
    static let petsHints = "Enter open  ^R reload"
    static let petHints = "Esc back"
    static let usersHints = "↑↓ select"
    static let settingsHints = "Enter change  s sign in"

    static func itemsHints(isFiltered: Bool, selected: Int) -> String {
        if selected > 0 { return "\(selected.formatted()) selected  Space done  d delete  x select  Esc none" }
        return "Space done  a add  e edit  d delete  u undo  / filter" + (isFiltered ? "  Esc all" : "")
    }

    static let keys: [(keys: String, meaning: String)] = [
        ("1–4, Tab", "Items, Pets, Users, Settings"),
        ("↑ ↓ PgUp PgDn Home End", "go through a list; k j g G as well"),
        ("Space", "complete or reopen; change a setting"),
        ("x, Shift ↑ ↓", "select an item or not; select up to the next one"),
        ("Space, d, Esc", "complete or reopen, delete, forget what is selected"),
        ("a, A", "add an item at the end, at the top"),
        ("e, Enter", "write another title; open a pet; change a setting"),
        ("d, C, D", "delete an item, all completed ones, all"),
        ("J, K", "move an item down, up"),
        ("u, U or ^R", "undo, redo; ^R on Pets: load them again"),
        ("/, Esc", "filter while typing, show everything again"),
        ("Esc, ←", "back from a pet"),
        ("s", "on Settings: sign in"),
        ("r", "try again what has failed"),
        ("^C, q", "interrupt, quit"),
        ("+, *", "marks what is selected (before), not saved (after)"),
    ]
}

// MARK: Troubles and rejected commands

extension Texts {
    static let otherProfile = "other profile"

    static func reallyUseHere(_ text: String) -> String { "Use “\(text.visible)” for this profile instead? (y/n)" }

    static let retryHint = "(r tries again)"
    static let givenUp = "This was cancelled because somebody signed in or out."
    static let leftUnsaved = "Some changes made under the previous profile could not be saved, and are lost."

    static func moreTroubles(_ count: Int) -> String { "(and \(count.formatted()) more)" }

    static func explain(_ trouble: Trouble) -> [String] {
        switch trouble {
        case .items(.saving, let error): unsaved(error)
        case .items(.reading, let error): ["The list can't be read."] + explain(error)
        case .items(.following, let error): ["What others change can't be seen."] + explain(error)
        case .items(.remembering, let error): ["The history can't be kept."] + lasting(error)
        case .settings(.saving, let error): unsaved(error)
        case .settings(_, let error): ["The settings can't be read."] + explain(error)
        case .session(let error): explain(error)
        case .sessionElsewhere(let error): ["Who signs in or out elsewhere can't be seen."] + explain(error)
        case .pets(let error), .petPage(_, let error): ["\(error.place): \(error.explanation)"]
        case .users(let error): ["\(error.file): \(error.explanation)", error.advice]
        }
    }

    /// Why a command of the screen had no effect, or nil if that is shown as a trouble.
    static func outcome(of error: Relux.EffectError) -> String? {
        switch error {
        case .failed(let failure as ItemsError): refusal(failure)
        case .failed(let failure as SettingsError): complaint(failure).lines.joined(separator: " ")
        case .failed(is StorageError): nil
        // The profile changed in the meantime.
        case .cancelled, .superseded, .dropped: givenUp
        default: unexpected(error)
        }
    }

    /// Why the rules rejected a command that the screen offered, which means that something changed in the meantime.
    static func refusal(_ error: ItemsError) -> String {
        switch error {
        case .unknown: "The item isn't there any more."
        case .completed(let item): "“\(item.title)” is completed: Space reopens it."
        default: complaint(error).lines.joined(separator: " ")
        }
    }
}
