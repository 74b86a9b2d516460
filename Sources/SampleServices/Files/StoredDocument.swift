/// The contents of a file, as ``StoredFile`` reads and writes them.
protocol StoredDocument: Sendable {
    /// The size of the largest file that is read or written, in bytes. The default is 1 MB.
    static var largestSize: Int { get }

    /// Parses a file.
    init(parsing bytes: [UInt8], file: String) throws(StorageError)

    /// The contents of the file to write.
    func bytes(file: String) throws(StorageError) -> [UInt8]

    /// The contents of the file to write in place of others. Members of those that this program doesn't know are kept.
    ///
    /// - Parameters:
    ///   - present: The text of the present contents, or nil if there is no file or the text isn't needed.
    ///   - former: The document that was read from it.
    func bytes(file: String, replacing present: JSONObjectText?, _ former: Self?) throws(StorageError) -> [UInt8]

    /// The text that ``bytes(file:replacing:_:)`` needs later, or nil, the default.
    static func text(of bytes: [UInt8]) -> JSONObjectText?

    /// The document, sharing the memory of its contents if that is possible.
    func sharing(_ bytes: [UInt8]) -> Self
}

extension StoredDocument {
    static var largestSize: Int { 1 << 20 }

    func bytes(file: String, replacing present: JSONObjectText?, _ former: Self?) throws(StorageError) -> [UInt8] {
        try bytes(file: file)
    }

    static func text(of bytes: [UInt8]) -> JSONObjectText? { nil }

    func sharing(_ bytes: [UInt8]) -> Self { self }
}
