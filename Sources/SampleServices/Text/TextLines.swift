/// A text that is read line by line, by a single reader.
///
/// Lines end with a line feed, optionally preceded by a carriage return. The last line needs no line ending. A byte
/// order mark at the start is skipped.
///
/// - Isolation: None, but only one call at a time. No thread of the cooperative pool is blocked.
public protocol TextLines: Sendable {
    /// Reads the next lines, waiting until they are available.
    ///
    /// Only as much of the text is read as these lines need, so a text may be endless. Cancelling the task ends the
    /// call with ``StorageError/Reason/cancelled``. Lines that were read by then may be lost.
    ///
    /// - Parameter count: The number of lines to read, at least 1.
    /// - Returns: That many lines without their endings, or fewer if they are long, at the end of the text, or before a
    ///   line that can't be read. The result is nil after the end.
    /// - Throws: If the next line can't be read. In that case there are no more lines.
    func next(_ count: Int) async throws(StorageError) -> [String]?
}

/// Lines that are kept in memory, for tests and previews.
public actor InMemoryTextLines: TextLines {
    /// Runs before each call, with the number of lines read so far. The call throws any error that the hook throws.
    public typealias Hook = @Sendable (Int) async throws(StorageError) -> Void

    private let lines: [String]
    private let hook: Hook
    private var count = 0

    /// Creates a text of lines without line endings.
    public init(_ lines: [String], hook: @escaping Hook = { (_) throws(StorageError) in }) {
        self.lines = lines
        self.hook = hook
    }

    /// Returns the next lines.
    public func next(_ count: Int) async throws(StorageError) -> [String]? {
        try await hook(self.count)
        let next = Array(lines.dropFirst(self.count).prefix(count))
        self.count += next.count
        return next.isEmpty ? nil : next
    }
}
