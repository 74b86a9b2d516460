/// A line of text on the screen.
struct Line: Sendable {
    let text: String
    var look = Look.plain
    var isSelected = false
}

extension Canvas {
    mutating func write(_ lines: some Sequence<Line>, in area: Area) {
        for (line, place) in zip(lines, area.lines) {
            let look = line.look.selected(line.isSelected)
            if line.isSelected { paint(place, look) }
            write(line.text, in: place, look)
        }
    }

    /// Writes the visible part of a list whose cursor is on one of its lines.
    mutating func write<ID>(_ lines: [Line], in area: Area, scrolledBy cursor: inout ListCursor<ID>) {
        let row = lines.firstIndex(where: \.isSelected) ?? 0
        cursor.scroll(toSee: row, height: area.height, of: lines.count)
        write(lines.dropFirst(cursor.firstRow), in: area)
    }
}

extension [String] {
    /// The texts, wrapped to lines of a width.
    func lines(width: Int, _ look: Look) -> [Line] {
        flatMap { $0.wrapped(to: width) }.map { Line(text: $0, look: look) }
    }
}
