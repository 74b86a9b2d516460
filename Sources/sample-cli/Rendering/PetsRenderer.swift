import SampleDomain

/// Renders pets for people.
struct PetsRenderer {
    let style: Style

    /// The lines of the whole catalogue. There are none if it is empty.
    func lines(of listing: Pets.Listing) -> [String] {
        let rows = listing.rows.map { [$0.id.visible, $0.name.visible, $0.species.visible, $0.age.visible] }
        let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) } + row.suffix(1)
            return ([style(.id, cells[0])] + cells.dropFirst()).joined(separator: "  ")
        }
    }

    func lines(of page: Pets.Page) -> [String] {
        let fields = page.fields.map { (label: Texts.label($0.kind), text: $0.text.visible) }
        let width = fields.map(\.label.columns).max() ?? 0
        return [style(.title, page.name.visible)] + fields.map { "  \($0.label.padded(to: width))  \($0.text)" }
    }
}
