import Foundation

/// A rectangle on a ``Canvas``. It may be empty. Its sides are never negative.
struct Area: Sendable, Hashable {
    let row: Int
    let column: Int
    let height: Int
    let width: Int

    init(row: Int, column: Int, height: Int, width: Int) {
        self.row = row
        self.column = column
        self.height = max(0, height)
        self.width = max(0, width)
    }

    init(_ size: TerminalSize) {
        self.init(row: 0, column: 0, height: size.rows, width: size.columns)
    }

    /// At most the given number of rows, starting at an index.
    func rows(from first: Int, _ count: Int = .max) -> Area {
        let first = min(max(0, first), height)
        return Area(row: row + first, column: column, height: min(count, height - first), width: width)
    }

    func line(_ index: Int) -> Area { rows(from: index, 1) }

    var lines: [Area] { (0..<height).map(line) }

    /// The columns starting at an index.
    func columns(from first: Int) -> Area {
        let first = min(max(0, first), width)
        return Area(row: row, column: column + first, height: height, width: width - first)
    }

    /// At most the given number of columns.
    func columns(to count: Int) -> Area {
        Area(row: row, column: column, height: height, width: min(count, width))
    }
}

/// The number of rows and columns of a terminal.
struct TerminalSize: Sendable, Hashable {
    /// The maximum of both. A larger size would be a mistake and only waste memory.
    private static let most = 1_000

    let rows: Int
    let columns: Int

    /// Creates a size from the values reported by a terminal. Unknown values are replaced by the traditional 24 rows
    /// and 80 columns.
    init(rows: Int, columns: Int) {
        self.rows = rows > 0 ? min(rows, Self.most) : 24
        self.columns = columns > 0 ? min(columns, Self.most) : 80
    }

    /// The current size of a terminal.
    init(of descriptor: Int32) {
        var size = winsize()
        _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        self.init(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }
}
