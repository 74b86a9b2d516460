import SampleDomain

// What people read about pets, users and settings.
extension Style {
    /// The lines of the whole catalogue. There are none if it is empty.
    func lines(of listing: Pets.Listing) -> [String] {
        let rows = listing.rows.map { [$0.id.visible, $0.name.visible, $0.species.visible, $0.age.visible] }
        let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) } + row.suffix(1)
            return ([self(.id, cells[0])] + cells.dropFirst()).joined(separator: "  ")
        }
    }

    func lines(of page: Pets.Page) -> [String] {
        let width = page.fields.map { Texts.label($0.kind).columns }.max() ?? 0
        return [self(.title, page.name.visible)]
            + page.fields.map { "  \(Texts.label($0.kind).padded(to: width))  \($0.text.visible)" }
    }

    func lines(of listing: Users.Listing) -> [String] {
        let width = listing.groups.flatMap(\.rows).map(\.name.visible.columns).max() ?? 0
        return listing.groups.flatMap { group in
            [self(.title, Texts.title(of: group.section, group.rows.count))]
                + group.rows.map { row in
                    let text = "\(row.name.visible.padded(to: width))  \(Texts.since(row.since.visible))"
                    return "  " + (group.section == .online ? text : self(.completed, text))
                }
        }
    }

    func lines(of table: Settings.Table) -> [String] {
        let width = table.cells.map { Texts.label($0).columns }.max() ?? 0
        return table.sections.flatMap { section in
            [self(.title, Texts.title(section.id))]
                + section.cells.map { "  \(Texts.label($0).padded(to: width))  \(Texts.value($0).visible)" }
        }
    }
}
