import Relux
import SampleDomain
import SampleServices

/// The contents of the users screen.
struct UsersProps: Relux.UI.ViewProps {
    var listing: Users.Listing?
}

/// The actions of the users screen.
struct UsersCallbacks: Relux.UI.ViewCallbacks {
    var select = Relux.UI.ViewCallback<User.ID>.noop
}

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
