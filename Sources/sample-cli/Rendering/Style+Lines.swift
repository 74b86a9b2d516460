import SampleDomain

// The texts for people about lists, pets, users and settings.
extension Style {
    func lines(of listing: Items.Listing) -> [String] {
        let width = listing.rows.last.map { "\($0.number)".columns } ?? 0
        return [(Texts.toDo, listing.active), (Texts.done, listing.completed)].flatMap { title, rows in
            rows.isEmpty ? [] : [self(.title, title(rows.count))] + rows.map { line(of: $0, width) }
        }
    }

    private func line(of row: Items.Listing.Row, _ width: Int) -> String {
        let padding = String(repeating: " ", count: width - "\(row.number)".columns)
        let text = row.title.visible + (row.details.isEmpty ? "" : "  \(row.details.visible)")
        return "  \(padding)\(self(.id, "\(row.number)"))  \(row.isDone ? self(.completed, text) : text)"
    }

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
        let width = listing.sections.flatMap(\.rows).map(\.name.visible.columns).max() ?? 0
        return listing.sections.flatMap { section in
            [self(.title, Texts.title(section))]
                + section.rows.map { row in
                    let text = "\(row.name.visible.padded(to: width))  \(row.since.visible)"
                    return "  " + (section.isOnline ? text : self(.completed, text))
                }
        }
    }

    func lines(of table: Settings.Table) -> [String] {
        let width = table.cells.map(\.label.columns).max() ?? 0
        return table.sections.flatMap { section in
            [self(.title, section.title)]
                + section.cells.map { "  \($0.label.padded(to: width))  \(Texts.value($0).visible)" }
        }
    }
}
