import Relux
import SampleDomain
import SampleServices

/// The contents of the users screen.
struct UsersProps: Relux.UI.ViewProps {
    var listing: Users.Listing?
}

/// The users screen: who is online and who is offline. The cursor follows its user from section to section.
@MainActor struct UsersView: ScreenView {
    private(set) var props = UsersProps()
    private var cursor = ListCursor<User.ID>()
    private var page = 1

    private var rows: [Users.Listing.Row] { props.listing?.sections.flatMap(\.rows) ?? [] }

    mutating func fill(_ props: UsersProps) {
        self.props = props
        let rows = rows
        cursor.follow(count: rows.count) { rows[$0].id }
    }

    var prompt: Prompt? { nil }

    var hints: String { Texts.usersHints }

    mutating func handle(_ key: Key) -> Bool {
        let rows = rows
        return cursor.take(key, page: page, count: rows.count) { rows[$0].id }
    }

    mutating func lines(_ size: TerminalSize) -> [Line] {
        page = size.rows
        let width = rows.map(\.name.visible.columns).max() ?? 0
        var lines: [Line] = []
        for section in props.listing?.sections ?? [] {
            lines.append(Line(Texts.title(section), .title))
            for row in section.rows {
                let isHere = row.id == cursor.id
                let text = "\(isHere ? ">" : " ") \(row.name.visible.padded(to: width))  \(row.since)"
                lines.append(Line(text, section.isOnline ? .plain : .faint, isSelected: isHere))
            }
        }
        let notice = props.listing?.notice.map { [$0] } ?? []
        lines += notice.lines(width: size.columns, props.listing?.isFailed == true ? .failure : .faint)
        return cursor.visible(of: lines, height: size.rows)
    }
}
