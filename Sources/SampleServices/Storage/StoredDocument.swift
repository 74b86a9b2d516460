/// The contents of a file, as ``FileService`` reads and writes them.
public protocol StoredDocument: Sendable {
    /// What is stored in the file.
    associatedtype Value: StoredValue

    /// The name of the file in its folder.
    static var fileName: String { get }

    /// The name of the lock file in the same folder. Files that share it have one writer at a time.
    static var lockName: String { get }

    /// The size of the largest file that is read or written, in bytes. The default is 1 MB.
    static var largestSize: Int { get }

    /// The path of the file in a folder. By default, a symbolic link is followed.
    static func path(in folder: String) -> String

    /// The document before anything has been saved.
    init()

    /// Parses a file.
    init(parsing bytes: [UInt8], file: String) throws(StorageError)

    /// The stored value.
    var value: Value { get }

    /// Whether there is anything to write after these changes.
    func isChanged(by changes: Value.Changes) -> Bool

    /// Merges changes into the stored value.
    mutating func apply(_ changes: Value.Changes)

    /// The contents of the file to write, piece by piece, or nil to remove the file. Pieces are made when they are
    /// needed, so that a large file never exists in memory as a whole.
    func pieces() throws -> (any Sequence<[UInt8]>)?
}

extension StoredDocument {
    /// 1 MB.
    public static var largestSize: Int { 1 << 20 }

    /// The path of the file in a folder, or where a symbolic link of that name leads.
    public static func path(in folder: String) -> String { FileSystem.path(of: fileName, in: folder) }
}
