import SampleDomain

/// Renders settings for people.
struct SettingsRenderer {
    let style: Style

    /// The lines of the whole table, section by section.
    func lines(of table: Settings.Table) -> [String] {
        let width = table.cells.map { Texts.label($0).count }.max() ?? 0
        return table.sections.flatMap { section in
            [style(.title, Texts.title(section.id))]
                + section.cells.map { "  \(Texts.label($0).padded(to: width))  \(Texts.value($0).visible)" }
        }
    }
}
