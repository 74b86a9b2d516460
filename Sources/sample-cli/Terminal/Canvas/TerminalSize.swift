/// How many rows and columns there are.
struct TerminalSize: Sendable, Hashable {
    /// More than this is a mistake of whoever tells it, and would only take memory.
    private static let most = 1_000

    let rows: Int
    let columns: Int

    /// Takes what a terminal tells. One that doesn't know gets the size that terminals had for long.
    init(rows: Int, columns: Int) {
        self.rows = rows > 0 ? min(rows, Self.most) : 24
        self.columns = columns > 0 ? min(columns, Self.most) : 80
    }
}
