import SampleDomain
import SampleServices

/// Who is there, and who isn't.
///
/// Who is selected is a part of the state, and so survives whatever the users do; until somebody is, the first one
/// looks selected.
struct UsersView: ScreenView {
    var props: UsersProps {
        didSet { follow() }
    }
    let callbacks: UsersCallbacks

    private var cursor = ListCursor<User.ID>()
    private var page = 1
    /// Who was selected here, as long as that isn't seen in the props. Until then they are behind the keys.
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

// MARK: - What is seen

extension UsersView {
    private struct Line {
        let text: String
        let look: Look
        /// Whether the cursor is there.
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
