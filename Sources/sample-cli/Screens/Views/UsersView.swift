import Relux
import SampleDomain
import SampleServices

/// The contents of the users screen.
struct UsersProps: Relux.UI.ViewProps {
    var listing: Users.Listing?
}

/// The users screen: who is online and who is offline. The cursor follows its user from section to section.
struct UsersView: ScreenView {
    var props: UsersProps {
        didSet { follow() }
    }
    private var cursor = ListCursor<User.ID>()
    private var page = 1

    init(props: UsersProps = UsersProps()) {
        self.props = props
        follow()
    }

    var prompt: Prompt? { nil }

    var hints: String { Texts.usersHints }

    mutating func handle(_ key: Key) -> Bool {
        let rows = rows
        return cursor.take(key, page: page, count: rows.count) { rows[$0].id }
    }

    private var groups: [Users.Listing.Group] { props.listing?.groups ?? [] }

    private var rows: [Users.Listing.Row] { groups.flatMap(\.rows) }

    private mutating func follow() {
        let rows = rows
        cursor.follow(count: rows.count) { rows[$0].id }
    }

    mutating func lines(_ size: TerminalSize) -> [Line] {
        page = size.rows
        let nameWidth = rows.map(\.name.visible.columns).max() ?? 0
        var lines: [Line] = []
        for group in groups {
            lines.append(Line(Texts.title(of: group.section, group.rows.count), .title))
            for row in group.rows {
                let isHere = row.id == cursor.id
                let name = row.name.visible.padded(to: nameWidth)
                let look: Look = group.section == .online ? .plain : .faint
                lines.append(
                    Line("\(isHere ? ">" : " ") \(name)  \(Texts.since(row.since))", look, isSelected: isHere))
            }
        }
        let notice = props.listing?.notice ?? [Texts.loading]
        lines += notice.lines(width: size.columns, props.listing?.isFailed == true ? .failure : .faint)
        return cursor.visible(of: lines, height: size.rows)
    }
}
