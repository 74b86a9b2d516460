/// Computes the terminal output that changes one picture into another.
///
/// Only differences are written. Where terminals disagree about the width of a character, its cells are cleared first
/// and the cursor is positioned explicitly afterwards, so that a different width affects nothing else.
struct FrameWriter: Sendable {
    /// The number of unchanged cells for which moving the cursor is shorter than writing them again.
    private static let shortestJump = 6

    let palette: Palette

    /// The output that turns what the terminal displays, or nil if that is unknown, into what it is to display.
    func update(from old: Canvas?, to new: Canvas) -> String {
        var output = ""
        let known = old.flatMap { $0.size == new.size ? $0 : nil }
        if known == nil { output += palette.sequence(for: .plain) + "\u{1B}[2J" }
        let blank = Canvas(new.size)
        var look: Look?
        for row in 0..<new.size.rows {
            let (former, cells) = ((known ?? blank).row(row), new.row(row))
            for run in Self.runs(in: Array(former), Array(cells)) {
                write(Array(cells)[run], row, from: run.lowerBound, &look, to: &output)
            }
        }
        if look != nil, look != .plain { output += palette.sequence(for: .plain) }
        return output
    }

    /// The ranges of a row that must be written.
    private static func runs(in old: [Canvas.Cell], _ new: [Canvas.Cell]) -> [Range<Int>] {
        guard old != new else { return [] }
        var runs: [Range<Int>] = []
        for column in new.indices where old[column] != new[column] {
            if let last = runs.last, column - last.upperBound < shortestJump {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        // A range includes both halves of a wide character or neither.
        return runs.map { run in
            let start = run.lowerBound > 0 && new[run.lowerBound].text == nil ? run.lowerBound - 1 : run.lowerBound
            let end =
                run.upperBound < new.count && new[run.upperBound].text == nil ? run.upperBound + 1 : run.upperBound
            return start..<end
        }
    }

    private func write(
        _ cells: ArraySlice<Canvas.Cell>, _ row: Int, from start: Int, _ look: inout Look?, to output: inout String
    ) {
        var isPlaced = false
        for (column, cell) in zip(start..., cells) {
            guard let character = cell.text else { continue }
            if look != cell.look {
                output += palette.sequence(for: cell.look)
                look = cell.look
            }
            if !isPlaced { output += Self.place(row, column) }
            isPlaced = character.isPlain
            if !isPlaced {
                output += String(repeating: " ", count: character.columns) + Self.place(row, column)
            }
            output.append(character)
        }
    }

    private static func place(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}
