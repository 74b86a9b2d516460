/// The contents of a file, as ``StoredFile`` reads and writes them.
protocol StoredDocument: Sendable {
    /// Parses a file.
    init(parsing bytes: [UInt8], file: String) throws(StorageError)

    /// The contents of the file to write.
    func bytes(file: String) throws(StorageError) -> [UInt8]
}
