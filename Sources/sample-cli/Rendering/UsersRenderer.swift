import SampleDomain

/// Renders users for people.
struct UsersRenderer {
    let style: Style

    /// The lines of the whole list. There are none if it is empty.
    func lines(of listing: Users.Listing) -> [String] {
        let width = listing.groups.flatMap(\.rows).map(\.name.visible.columns).max() ?? 0
        return listing.groups.flatMap { group in
            [style(.title, Texts.title(of: group.section, group.rows.count))]
                + group.rows.map { "  " + row($0, in: group.section, width: width) }
        }
    }

    private func row(_ row: Users.Listing.Row, in section: Users.Section, width: Int) -> String {
        let text = row.name.visible.padded(to: width) + "  " + Texts.since(row.since.visible)
        return section == .online ? text : style(.completed, text)
    }
}
