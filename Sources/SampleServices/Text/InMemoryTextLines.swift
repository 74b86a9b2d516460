/// Lines that are kept in memory, for tests and previews.
public actor InMemoryTextLines: TextLines {
    /// Runs before each call, with the number of lines read so far. The call throws any error that the hook throws.
    public typealias Hook = @Sendable (Int) async throws(TextLinesError) -> Void

    private let lines: [String]
    private let hook: Hook
    private var count = 0

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - lines: The lines, without line endings.
    ///   - hook: Runs before each call, with the number of lines read so far. The default does nothing.
    public init(_ lines: [String], hook: @escaping Hook = { (_) throws(TextLinesError) in }) {
        self.lines = lines
        self.hook = hook
    }

    /// Returns the next lines.
    ///
    /// - Parameter count: The maximum number of lines.
    /// - Returns: That many lines, or fewer at the end of the text. The result is nil after the end.
    /// - Throws: Any error that the hook throws.
    public func next(_ count: Int) async throws(TextLinesError) -> TextLinesBatch? {
        try await hook(self.count)
        let next = Array(lines.dropFirst(self.count).prefix(count))
        if next.isEmpty { return nil }
        self.count += next.count
        return TextLinesBatch(lines: next, fraction: Double(self.count) / Double(lines.count))
    }
}
