public import Foundation

/// A storage that keeps the data of each key in a file of its own, in one folder.
///
/// A file is replaced by renaming a complete new one, so a reader finds either the old data or the new ones, even if
/// the process is killed in between. Processes take turns with a lock that is held only during an operation.
///
/// An empty file, a file that this library has not written, and a file that something else has changed count as
/// damaged, and not as missing. A file that is set aside gets the suffix `.aside-1`, `.aside-2` …
///
/// - Isolation: The files are read and written on a thread of the storage.
/// - Ordering: The calls through one value are executed one after the other.
/// - Cancellation: Ignored.
/// - Durability: That of ``durability``.
/// - Complexity: A call reads or writes the data of its key. ``keys()`` lists the folder.
public struct FileStorage: Storage, ChangeReporting, Hashable {
    /// The folder of the files.
    public let folder: URL
    /// Which failures written data survive.
    public let durability: Durability
    private let files: any FileSystem
    private let queue = StorageQueue()

    /// Creates a storage. The folder is created with the first write.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files. Nothing else should be in it.
    ///   - durability: Which failures written data survive.
    public init(folder: URL, durability: Durability = .kill) {
        self.init(folder: folder, durability: durability, files: SystemFiles())
    }

    init(folder: URL, durability: Durability, files: any FileSystem) {
        (self.folder, self.durability, self.files) = (folder.standardizedFileURL, durability, files)
    }

    /// Whether both keep their files in the same folder.
    public static func == (lhs: FileStorage, rhs: FileStorage) -> Bool { lhs.root == rhs.root }

    /// Hashes the folder.
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }

    private var root: String {
        let path = folder.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private func path(of key: String) -> String { "\(root)/\(FileName.of(key))" }

    /// The data of a key; nil if there is no file.
    public func read(_ key: String) async throws -> Data? {
        try await queue.run { try present(key)?.data }
    }

    /// Replaces the data of a key, all or nothing.
    public func write(_ data: Data, to key: String) async throws {
        try await queue.run { try change { try put(data, at: key) } }
    }

    /// Removes the file of a key.
    public func remove(_ key: String) async throws {
        try await queue.run {
            guard try files.identity(of: path(of: key)) != nil else { return }
            try change { try put(nil, at: key) }
        }
    }

    /// The keys that have data.
    ///
    /// - Throws: ``StorageError/damaged(_:_:)`` if a file with a very long key is damaged, because the key isn't known.
    public func keys() async throws -> [String] {
        try await queue.run {
            try (files.names(in: root) ?? []).filter { FileName.isOfKey($0) }.compactMap { name in
                if let key = FileName.key(of: name) { return key }
                let path = "\(root)/\(name)"
                return try files.contents(of: path).map { try Envelope.opening($0, at: path, of: nil).key }
            }
        }
    }

    /// Replaces the data of a key by what a closure makes of them, as one operation.
    public func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws {
        while true {
            let old = try await read(key)
            let new = try change(old)
            if new == old { return }
            let isDone = try await queue.run {
                try self.change {
                    guard try present(key)?.data == old else { return false }
                    try put(new, at: key)
                    return true
                }
            }
            if isDone { return }
        }
    }

    package func reportChanges(
        of key: String, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        try? files.makeFolder(root)
        return FolderWatch.reportChanges(in: root, report)
    }

    /// Gives the file of a key another name, whatever the file contains.
    public func setAside(_ key: String) async throws {
        try await queue.run {
            try change {
                guard try files.identity(of: path(of: key)) != nil else { return }
                try files.setAside(path(of: key), durability)
            }
        }
    }

    private func present(_ key: String) throws -> (key: String, data: Data)? {
        let path = path(of: key)
        return try files.contents(of: path).map { try Envelope.opening($0, at: path, of: key) }
    }

    private func change<Result>(_ body: () throws -> Result) throws -> Result {
        try files.makeFolder(root)
        return try files.whileLocked("\(root)/.lock", body)
    }

    private func put(_ data: Data?, at key: String) throws {
        if let data {
            try files.replace(path(of: key), with: Envelope.sealing(data, of: key), durability)
        } else {
            try files.remove(path(of: key))
            if durability.synchronizes { try files.synchronizeFolder(root) }
        }
    }
}
