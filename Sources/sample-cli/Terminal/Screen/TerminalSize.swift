import Foundation

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
