/// A text of many parts. A piece of it has up to a thousand parts, and is made when it is needed.
struct TextPieces: Sequence {
    private static let partsPerPiece = 1_000

    private let count: Int
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let append: (Int, inout [UInt8]) -> Void

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - count: The number of parts.
    ///   - prefix: What precedes the first part.
    ///   - suffix: What follows the last part.
    ///   - append: Appends the part with an index to a piece.
    init(
        _ count: Int,
        after prefix: [UInt8],
        before suffix: [UInt8] = [],
        _ append: @escaping (Int, inout [UInt8]) -> Void
    ) {
        (self.count, self.prefix, self.suffix, self.append) = (count, prefix, suffix, append)
    }

    func makeIterator() -> some IteratorProtocol<[UInt8]> {
        let last = count / Self.partsPerPiece
        return (0...last).lazy.map { number in
            var piece = number == 0 ? prefix : []
            let start = number * Self.partsPerPiece
            for index in start..<Swift.min(start + Self.partsPerPiece, count) { append(index, &piece) }
            if number == last { piece += suffix }
            return piece
        }.makeIterator()
    }
}
