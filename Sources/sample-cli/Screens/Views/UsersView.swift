import SampleDomain
import SampleServices

/// The users screen: who is online and who is offline.
///
/// The selection is part of the state and therefore follows its user. Until a user is selected, the first one appears
/// selected.
struct UsersView: ScreenView {
    var props: UsersProps {
        didSet { follow() }
    }
    let callbacks: UsersCallbacks

    private var cursor = ListCursor<User.ID>()
    private var page = 1
    /// The user that was last selected here, until the props contain that selection. Until then, the props are older
    /// than the keys.
    private var awaited: User.ID?

    init(props: UsersProps = UsersProps(), callbacks: UsersCallbacks) {
        self.props = props
        self.callbacks = callbacks
        follow()
    }

    var prompt: Prompt? { nil }

    var hints: String { Texts.usersHints }

    mutating func handle(_ key: Key) -> Bool {
        let rows = rows
        guard cursor.take(key, page: page, count: rows.count, { rows[$0].id }) else { return false }
        if let id = cursor.id, !rows.isEmpty {
            awaited = id
            callbacks.select.fire(id)
        }
        return true
    }

    private var groups: [Users.Listing.Group] { props.listing?.groups ?? [] }

    private var rows: [Users.Listing.Row] { groups.flatMap(\.rows) }

    private mutating func follow() {
        let rows = rows
        cursor.follow(count: rows.count) { rows[$0].id }
        let selected = rows.firstIndex(where: \.isSelected)
        if let awaited, rows.contains(where: { $0.id == awaited }), selected.map({ rows[$0].id }) != awaited { return }
        awaited = nil
        if let selected { cursor.go(to: selected, count: rows.count) { rows[$0].id } }
    }
}

// MARK: - Drawing

extension UsersView {
    private struct Line {
        let text: String
        let look: Look
        /// Whether the cursor is in this line.
        var isCursor = false
    }

    mutating func draw(on canvas: inout Canvas, in area: Area) {
        page = area.height
        let lines = lines(width: area.width)
        let row = lines.firstIndex(where: \.isCursor) ?? 0
        cursor.scroll(toSee: row, height: area.height, of: lines.count)
        for (index, line) in lines.dropFirst(cursor.firstRow).prefix(area.height).enumerated() {
            let look = line.look.selected(line.isCursor)
            canvas.paint(area.line(index), look)
            canvas.write(line.text, in: area.line(index), look)
        }
    }

    private func lines(width: Int) -> [Line] {
        let nameWidth = rows.map(\.name.columns).max() ?? 0
        var lines: [Line] = []
        for group in groups {
            lines.append(Line(text: Texts.title(of: group.section, group.rows.count), look: .title))
            for row in group.rows {
                let isCursor = row.id == cursor.id
                let padding = String(repeating: " ", count: max(0, nameWidth - row.name.columns))
                lines.append(
                    Line(
                        text: "\(isCursor ? ">" : " ") \(row.name)\(padding)  \(Texts.since(row.since))",
                        look: group.section == .online ? .plain : .faint, isCursor: isCursor))
            }
        }
        let notices = props.listing?.notices ?? [[Texts.loading]]
        let look: Look = props.listing?.isFailed == true ? .failure : .faint
        return lines + notices.flatMap { $0 }.flatMap { $0.wrapped(to: width) }.map { Line(text: $0, look: look) }
    }
}
