import SampleDomain
import SampleServices

/// The settings screen. Each kind of cell determines what it shows and does.
struct SettingsView: ScreenView {
    private enum Mode: Sendable {
        case browsing
        case writing(Field, LineEditor)
        case signingOut(ProfileName)
        /// The profile has changed since the text was begun.
        case writingElsewhere(Field, LineEditor)
        case movingHere(Field, String)
    }

    /// The value being written.
    private enum Field: Sendable {
        case displayName
        case listName
        case profile
    }

    var props: SettingsProps
    let callbacks: SettingsCallbacks

    private var mode = Mode.browsing
    private var cursor = ListCursor<Int>()

    init(props: SettingsProps = SettingsProps(), callbacks: SettingsCallbacks) {
        self.props = props
        self.callbacks = callbacks
    }

    /// The view after a change of profile. Questions are gone, and a text that is being written is kept.
    func anew() -> SettingsView {
        var view = SettingsView(props: props, callbacks: callbacks)
        switch mode {
        case .browsing, .signingOut: break
        case .writing(.profile, let editor): view.mode = .writing(.profile, editor)
        case .writing(let field, let editor), .writingElsewhere(let field, let editor):
            view.mode = .writingElsewhere(field, editor)
        case .movingHere(let field, let text): view.mode = .writingElsewhere(field, LineEditor(text))
        }
        return view
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .writingElsewhere(_, let editor): .text(label: Texts.settingElsewhere, editor)
        case .movingHere(_, let text): .question(Texts.reallySetHere(text))
        case .writing(.displayName, let editor): .text(label: Texts.displayNameLabel, editor)
        case .writing(.listName, let editor): .text(label: Texts.listNameLabel, editor)
        case .writing(.profile, let editor): .text(label: Texts.profileLabel, editor)
        case .signingOut(let name): .question(Texts.reallySignOut(name))
        }
    }

    var hints: String { Texts.settingsHints }

    mutating func handle(_ key: Key) -> Bool {
        switch mode {
        case .browsing: return browse(key)
        case .writing(let field, var editor):
            switch editor.take(key) {
            case .nothing, .edited: mode = .writing(field, editor)
            case .cancelled: mode = .browsing
            case .committed:
                mode = .browsing
                commit(editor.text, to: field)
            }
        case .writingElsewhere(let field, var editor):
            switch editor.take(key) {
            case .nothing, .edited: mode = .writingElsewhere(field, editor)
            case .cancelled: mode = .browsing
            case .committed: mode = .movingHere(field, editor.text)
            }
        case .movingHere(let field, let text):
            mode = .browsing
            if key.isYes { commit(text, to: field) }
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
        case .character("s"): mode = .writing(.profile, LineEditor())
        case .character(" "), .enter, .right:
            guard cells.indices.contains(cursor.index) else { return false }
            touch(cells[cursor.index])
        default: return false
        }
        return true
    }

    private mutating func touch(_ cell: Settings.Cell) {
        switch cell {
        case .displayName(let name): mode = .writing(.displayName, LineEditor(name))
        case .listName(let name): mode = .writing(.listName, LineEditor(name))
        // The new value is determined when the command runs, because the displayed one may be older than the last key.
        case .theme: callbacks.chooseNextTheme.fire()
        case .signOut(let name): mode = .signingOut(name)
        }
    }

    private func commit(_ text: String, to field: Field) {
        switch field {
        case .displayName: callbacks.choose.fire(.displayName(text))
        case .listName: callbacks.choose.fire(.listName(text))
        case .profile: callbacks.signIn.fire(text)
        }
    }
}

// MARK: - Drawing

extension SettingsView {
    mutating func draw(on canvas: inout Canvas, in area: Area) {
        cursor.follow(count: cells.count) { $0 }
        guard let table = props.table else {
            canvas.write(Texts.loading, in: area, .faint)
            return
        }
        let width = (table.cells.map { Texts.label($0).columns }.max() ?? 0) + 2
        var lines: [(cell: Settings.Cell?, text: String)] = []
        var row = 0
        for section in table.sections {
            lines.append((nil, Texts.title(section.id)))
            for cell in section.cells {
                if lines.count(where: { $0.cell != nil }) == cursor.index { row = lines.count }
                lines.append((cell, Texts.label(cell).padded(to: width) + Texts.valueOnScreen(cell)))
            }
        }
        cursor.scroll(toSee: row, height: area.height, of: lines.count)
        for (index, line) in lines.enumerated().dropFirst(cursor.firstRow).prefix(area.height) {
            let place = area.line(index - cursor.firstRow)
            guard line.cell != nil else {
                canvas.write(line.text, in: place, .title)
                continue
            }
            let look = Look.plain.selected(index == row)
            canvas.paint(place, look)
            canvas.write((index == row ? "> " : "  ") + line.text, in: place, look)
        }
    }
}
