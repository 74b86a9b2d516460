import Relux
import SampleDomain
import SampleServices

/// The contents of the settings screen.
struct SettingsProps: Relux.UI.ViewProps {
    /// Nil until the settings have been loaded.
    var table: Settings.Table?
    var profile = Profile.guest
}

/// The callbacks of the settings screen.
struct SettingsCallbacks: Relux.UI.ViewCallbacks {
    let choose: Relux.UI.ViewCallback<Settings.Setting>
    /// Signs in with a name, or signs out with an empty one.
    let signIn: Relux.UI.ViewCallback<String>
}

/// The settings screen: a table whose cells never change, only their values.
@MainActor struct SettingsView: ScreenView {
    private typealias Kind = Settings.Table.Cell.Kind

    private(set) var props = SettingsProps()
    private var callbacks: SettingsCallbacks?
    private var cursor = ListCursor<Settings.Table.Cell.Kind>()
    /// The text that is being written, and its cell.
    private var field: (id: Kind, text: TextField)?
    /// The text that was being written when the profile changed.
    private var dropped: String?

    mutating func fill(_ props: SettingsProps, _ callbacks: SettingsCallbacks) {
        self.callbacks = callbacks
        if props.profile != self.props.profile {
            dropped = field?.text.unsaved
            field = nil
        }
        self.props = props
        let cells = cells
        cursor.follow(count: cells.count) { cells[$0].id }
        if let id = field?.id, id != .profile, let cell = cells.first(where: { $0.id == id }) {
            field?.text.follow(cell.value)
        }
    }

    /// The text that was being written when the profile changed, once.
    mutating func takeDropped() -> String? {
        defer { dropped = nil }
        return dropped
    }

    private var cells: [Settings.Table.Cell] { props.table?.cells ?? [] }

    var prompt: Prompt? { field?.text.prompt }

    var hints: String { Texts.settingsHints }

    mutating func handle(_ key: Key) -> Bool {
        if var field {
            if case .goesOn = field.text.take(key) { self.field = field } else { self.field = nil }
            return true
        }
        let cells = cells
        if cursor.take(key, page: cells.count, count: cells.count, { cells[$0].id }) { return true }
        guard [.character(" "), .enter, .right].contains(key), cells.indices.contains(cursor.index) else {
            return false
        }
        touch(cells[cursor.index])
        return true
    }

    private mutating func touch(_ cell: Settings.Table.Cell) {
        guard let callbacks else { return }
        switch cell.id {
        case .displayName: write(cell, callbacks.choose.map { .displayName($0) })
        case .listName: write(cell, callbacks.choose.map { .listName($0) })
        case .theme:
            let themes = UserSettings.Theme.allCases
            let index = themes.firstIndex { $0.rawValue == cell.value } ?? 0
            callbacks.choose.fire(.theme(themes[(index + 1) % themes.count]))
        case .profile: field = (cell.id, TextField(Texts.signInAs, "", commit: callbacks.signIn))
        }
    }

    private mutating func write(_ cell: Settings.Table.Cell, _ commit: Relux.UI.ViewCallback<String>) {
        field = (cell.id, TextField("\(cell.label):", cell.value, commit: commit))
    }

    mutating func lines(_ size: TerminalSize) -> [Line] {
        guard let table = props.table else { return [Line(Texts.loading, .faint)] }
        let width = (cells.map(\.label.columns).max() ?? 0) + 2
        var lines: [Line] = []
        for section in table.sections {
            lines.append(Line(section.title, .title))
            for cell in section.cells {
                let isHere = cell.id == cursor.id
                let text = cell.label.padded(to: width) + Texts.value(cell)
                lines.append(Line((isHere ? "> " : "  ") + text, isSelected: isHere))
            }
        }
        return cursor.visible(of: lines, height: size.rows)
    }
}
