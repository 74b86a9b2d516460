import Relux
import SampleDomain
import SampleServices

/// The contents of the settings screen.
struct SettingsProps: Relux.UI.ViewProps {
    var table: Settings.Table?
    /// The profile whose settings these are.
    var standing = Session.State.Standing.unknown
}

/// The actions of the settings screen.
struct SettingsCallbacks: Relux.UI.ViewCallbacks {
    var choose = Relux.UI.ViewCallback<Settings.Setting>.noop
    var chooseNextTheme = Relux.UI.ViewCallback<Void>.noop
    var signIn = Relux.UI.ViewCallback<String>.noop
    var signOut = Relux.UI.ViewCallback<Void>.noop
}

/// The settings screen. Each kind of cell determines what it shows and does.
struct SettingsView: ScreenView {
    private enum Mode: Sendable {
        case browsing
        case writing(Draft<Field>)
        case signingOut(ProfileName)
    }

    /// What a text is written for.
    private struct Field: Sendable {
        let label: String
        let callback: Relux.UI.ViewCallback<String>
        /// Whether the text means the same whichever profile is signed in.
        var isForAllProfiles = false
    }

    var props: SettingsProps {
        didSet {
            if oldValue.standing != .unknown, oldValue.standing != props.standing { followProfileChange() }
        }
    }
    let callbacks: SettingsCallbacks
    private var mode = Mode.browsing
    private var cursor = ListCursor<Int>()

    init(props: SettingsProps = SettingsProps(), callbacks: SettingsCallbacks) {
        self.props = props
        self.callbacks = callbacks
    }

    /// Drops what was begun with another profile's settings. A text that is being written is kept.
    private mutating func followProfileChange() {
        switch mode {
        case .browsing: break
        case .signingOut: mode = .browsing
        case .writing(let draft) where draft.purpose.isForAllProfiles: break
        case .writing(let draft): mode = .writing(draft.afterProfileChange())
        }
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .signingOut(let name): .question(Texts.reallySignOut(name))
        case .writing(let draft): draft.prompt(draft.purpose.label)
        }
    }

    var hints: String { Texts.settingsHints }

    mutating func handle(_ key: Key) -> Bool {
        switch mode {
        case .browsing: return browse(key)
        case .writing(var draft):
            switch draft.take(key, ifElsewhere: { _ in true }) {
            case .goesOn: mode = .writing(draft)
            case .dropped: mode = .browsing
            case .committed(let text):
                mode = .browsing
                draft.purpose.callback.fire(text)
            }
        case .signingOut:
            mode = .browsing
            if key.isYes { callbacks.signOut.fire() }
        }
        return true
    }

    private var cells: [Settings.Cell] { props.table?.cells ?? [] }

    private mutating func browse(_ key: Key) -> Bool {
        if cursor.take(key, page: cells.count, count: cells.count, { $0 }) { return true }
        switch key {
        case .character("s"):
            write(Field(label: Texts.profileLabel, callback: callbacks.signIn, isForAllProfiles: true))
        case .character(" "), .enter, .right:
            guard cells.indices.contains(cursor.index) else { return false }
            touch(cells[cursor.index])
        default: return false
        }
        return true
    }

    private mutating func touch(_ cell: Settings.Cell) {
        switch cell {
        case .displayName(let name):
            write(Field(label: Texts.displayNameLabel, callback: callbacks.choose.map { .displayName($0) }), name)
        case .listName(let name):
            write(Field(label: Texts.listNameLabel, callback: callbacks.choose.map { .listName($0) }), name)
        // The new value is determined when the command runs, because the displayed one may be older than the last key.
        case .theme: callbacks.chooseNextTheme.fire()
        case .signOut(let name): mode = .signingOut(name)
        }
    }

    private mutating func write(_ field: Field, _ text: String = "") {
        mode = .writing(Draft(field, text))
    }

    mutating func lines(_ size: TerminalSize) -> [Line] {
        cursor.follow(count: cells.count) { $0 }
        guard let table = props.table else { return [Line(Texts.loading, .faint)] }
        let width = (cells.map { Texts.label($0).columns }.max() ?? 0) + 2
        var lines: [Line] = []
        var index = 0
        for section in table.sections {
            lines.append(Line(Texts.title(section.id), .title))
            for cell in section.cells {
                let isHere = index == cursor.index
                let text = Texts.label(cell).padded(to: width) + Texts.valueOnScreen(cell)
                lines.append(Line((isHere ? "> " : "  ") + text, isSelected: isHere))
                index += 1
            }
        }
        return cursor.visible(of: lines, height: size.rows)
    }
}
