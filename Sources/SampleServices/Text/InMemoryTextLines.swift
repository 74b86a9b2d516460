/// Lines that are there already: for tests and previews.
public actor InMemoryTextLines: TextLines {
    /// Runs before each call, with the number of lines read so far: throws what that is to throw, or waits.
    public typealias Hook = @Sendable (Int) async throws(TextLinesError) -> Void

    private let lines: [String]
    private let hook: Hook
    private var count = 0

    /// Makes a text.
    ///
    /// - Parameters:
    ///   - lines: The lines, without their ends.
    ///   - hook: Runs before each call, with the number of lines read so far. The default does nothing.
    public init(_ lines: [String], hook: @escaping Hook = { (_) throws(TextLinesError) in }) {
        self.lines = lines
        self.hook = hook
    }

    /// Returns the next lines.
    ///
    /// - Parameter count: How many.
    /// - Returns: So many lines; at the end fewer; after the end nil.
    /// - Throws: What the hook throws.
    public func next(_ count: Int) async throws(TextLinesError) -> TextLinesBatch? {
        try await hook(self.count)
        let next = Array(lines.dropFirst(self.count).prefix(count))
        if next.isEmpty { return nil }
        self.count += next.count
        return TextLinesBatch(lines: next, fraction: Double(self.count) / Double(lines.count))
    }
}
