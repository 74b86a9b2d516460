/// A text that is read line by line, for one reader.
///
/// Lines end with a line feed, with or without a carriage return before it; the last one needs no end. A byte order
/// mark at the beginning is none of the text.
///
/// - Isolation: None, but one call at a time. No thread of the cooperative pool is blocked.
public protocol TextLines: Sendable {
    /// Reads the next lines, and waits for them where they come slowly.
    ///
    /// Only so much of the text is read ahead as makes up these lines, so a text may be endless. Cancelling the task
    /// ends the call with ``TextLinesError/Reason/cancelled``, and what has been read by then may be lost.
    ///
    /// - Parameter count: How many lines to read, one at least.
    /// - Returns: So many lines; at the end, or before a line that can't be read, fewer; after the end nil.
    /// - Throws: What kept the next line from being read; then there are no more.
    func next(_ count: Int) async throws(TextLinesError) -> TextLinesBatch?
}

/// Some lines of a text, one after the other.
public struct TextLinesBatch: Sendable, Equatable {
    /// The lines, without their ends.
    public let lines: [String]

    /// How much of the text has been read, from 0 to 1; nil where nobody knows how long it is.
    public let fraction: Double?

    /// Makes a batch.
    ///
    /// - Parameters:
    ///   - lines: The lines, without their ends.
    ///   - fraction: How much of the text has been read, from 0 to 1, or nil.
    public init(lines: [String], fraction: Double? = nil) {
        self.lines = lines
        self.fraction = fraction
    }
}
