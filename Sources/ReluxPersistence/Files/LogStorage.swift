public import Foundation
import Relux

/// A storage that appends each change to one file, for many small values that change often.
///
/// A write appends one record with its key, its length, and checksums. When most of the file is outdated, the storage
/// writes a new one, and replaces the old one as ``FileStorage`` does. A record that was never finished is cut off by
/// the next write.
///
/// If anything else in the file is damaged, the storage reads the records that are whole. Before it writes, it keeps
/// the damaged file with the suffix `.aside-1`, `.aside-2` … A key whose data are known to be damaged stays damaged
/// until it is written, removed, or set aside. If a damaged record doesn't tell its key any more, that key has the data
/// of the record before.
///
/// - Isolation: The file is read and written on a thread of the storage. Processes take turns with a lock that is held
///   only during an operation.
/// - Ordering: The calls through one value are executed one after the other.
/// - Cancellation: Ignored.
/// - Lifetime: The file stays open as long as the storage.
/// - Durability: That of ``durability``.
/// - Complexity: The first call reads the whole file. Later ones read and write the data of their key, and what other
///   processes have appended. Rewriting is O(n), amortised O(1) for each byte written.
public final class LogStorage: Storage, ChangeReporting, Hashable {
    /// Where the records are.
    public let file: URL
    /// Which failures written data survive.
    public let durability: Durability
    private let files: any FileSystem
    private let queue = StorageQueue()
    private let log: Lock<OpenLog?>

    /// The smallest size at which a file is rewritten because most of it is outdated.
    private let smallestRewrite: Int

    /// Creates a storage. The file is created with the first write, and its folder too.
    ///
    /// - Parameters:
    ///   - file: The file of the records. Other files in its folder belong to the storage if their names start with its
    ///     name.
    ///   - durability: Which failures written data survive.
    public convenience init(file: URL, durability: Durability = .kill) {
        self.init(file: file, durability: durability, files: SystemFiles(), smallestRewrite: 1 << 16)
    }

    init(file: URL, durability: Durability, files: any FileSystem, smallestRewrite: Int) {
        (self.file, self.durability, self.files) = (file.standardizedFileURL, durability, files)
        self.smallestRewrite = smallestRewrite
        log = Lock(nil)
    }

    deinit {
        if let open = log.withLock({ $0 }) { files.close(open.descriptor) }
    }

    private var path: String { file.path(percentEncoded: false) }

    /// Whether both keep their records in the same file.
    public static func == (lhs: LogStorage, rhs: LogStorage) -> Bool { lhs.path == rhs.path }

    /// Hashes the path of the file.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// The data of a key; nil if there are none.
    public func read(_ key: String) async throws -> Data? {
        try await queue.run {
            try self.existing { try self.locked(for: key) { try $0?.data(of: key, self.files, self.path) } }
        }
    }

    /// Appends the data of a key.
    public func write(_ data: Data, to key: String) async throws {
        try await queue.run { try self.locked(for: key) { log in try self.put(data, at: key, &log) } }
    }

    /// Appends the removal of a key, if it has data.
    public func remove(_ key: String) async throws {
        try await queue.run {
            try self.existing {
                try self.locked(for: key) { log in if log?.places[key] != nil { try self.put(nil, at: key, &log) } }
            }
        }
    }

    /// The keys that have data.
    public func keys() async throws -> [String] {
        try await queue.run { try self.existing { try self.locked { $0.map { Array($0.places.keys) } } } ?? [] }
    }

    /// Replaces the data of a key by what a closure makes of them, as one operation.
    public func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws {
        while true {
            let old = try await read(key)
            let new = try change(old)
            if new == old { return }
            let isDone = try await queue.run {
                try self.locked(for: key) { log in
                    guard try log?.data(of: key, self.files, self.path) == old else { return false }
                    try self.put(new, at: key, &log)
                    return true
                }
            }
            if isDone { return }
        }
    }

    package func reportChanges(
        of key: String, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        try? files.makeFolder(files.folder(of: path))
        return FolderWatch.reportChanges(in: files.folder(of: path), file: path, report)
    }

    /// Keeps the data of a key in another file. If the data or the whole file are damaged, this is a copy of the file.
    public func setAside(_ key: String) async throws {
        try await queue.run {
            do {
                try self.locked { log in
                    guard log?.places[key] != nil else { return }
                    try self.keepCopy()
                    try self.put(nil, at: key, &log)
                }
            } catch StorageError.damaged {
                // Another file, or an empty one.
                try self.alone {
                    try self.files.setAside(self.path, self.durability)
                    self.close()
                }
            }
        }
    }

    // MARK: The file

    /// Executes something if there is a file. Otherwise, there is nothing to lock, and nothing is created.
    private func existing<Output>(_ body: () throws -> Output?) throws -> Output? {
        try files.identity(of: path) == nil ? nil : body()
    }

    private func alone<Result>(_ body: () throws -> Result) throws -> Result {
        try files.makeFolder(files.folder(of: path))
        return try files.whileLocked(path + ".lock", body)
    }

    /// Executes something with the current contents of the file; nil if there is no file.
    ///
    /// After a failure, the file is read again the next time.
    private func locked<Output>(
        for key: String? = nil, _ body: (inout OpenLog?) throws -> Output
    ) throws -> Output {
        try alone {
            // The log is taken out, so that a failure leaves nothing that may be wrong. Only the queue's thread does
            // this.
            var log = self.log.withLock { $0.take() }
            do {
                try refresh(&log, for: key)
                let output = try body(&log)
                self.log.withLock { [log] in $0 = log }
                return output
            } catch {
                if let log { files.close(log.descriptor) }
                throw error
            }
        }
    }

    private func close() {
        if let open = log.withLock({ $0.take() }) { files.close(open.descriptor) }
    }

    /// Reads what another process has appended, or the whole file if it has been replaced.
    ///
    /// - Parameter key: What is asked for, for the error; nil for everything.
    private func refresh(_ log: inout OpenLog?, for key: String? = nil) throws {
        if let open = log, try files.identity(of: path) != open.identity {
            files.close(open.descriptor)
            log = nil
        }
        if log == nil {
            guard let descriptor = try files.open(path, for: .changing) else { return }
            do {
                log = try OpenLog(descriptor, files, path, for: key)
            } catch {
                files.close(descriptor)
                throw error
            }
        } else {
            try log?.readOn(files, path)
        }
    }

    /// - Parameter data: Nil removes the key.
    private func put(_ data: Data?, at key: String, _ log: inout OpenLog?) throws {
        guard let open = log else {
            let record = data.map { LogFormat.record(.data, key, $0) } ?? Data()
            try files.replace(path, with: LogFormat.line + record, durability)
            return try refresh(&log)
        }
        let record = LogFormat.record(data == nil ? .removal : .data, key, data ?? Data())
        if open.isDamaged { try keepCopy() }
        if open.isDamaged || open.isMostlyOutdated(beyond: smallestRewrite) {
            let rewritten = try open.rewritten(files, path, without: key)
            try files.replace(path, with: data == nil ? rewritten : rewritten + record, durability)
            return try refresh(&log)
        }
        try log?.append(record, files, path, durability)
    }

    /// Keeps a copy of the file under a free name.
    private func keepCopy() throws {
        var number = 1
        while try files.identity(of: "\(path).aside-\(number)") != nil { number += 1 }
        guard let contents = try files.contents(of: path) else { return }
        try files.replace("\(path).aside-\(number)", with: contents, durability)
    }
}

/// A log file that is open, and where its data are.
private struct OpenLog {
    let descriptor: Int32
    let identity: FileIdentity
    /// Where the data of each key are.
    private(set) var places: [String: LogFormat.Scan.Entry] = [:]
    private(set) var isDamaged = false
    /// Where the next record belongs.
    private var end: Int
    /// The size of the records that count.
    private var liveCount = 0

    init(_ descriptor: Int32, _ files: any FileSystem, _ path: String, for key: String?) throws {
        self.descriptor = descriptor
        identity = try files.identity(of: descriptor, at: path)
        end = LogFormat.line.count
        let bytes = try files.read(descriptor, at: 0, count: files.size(of: descriptor, at: path), path: path)
        if bytes.prefix(end) == LogFormat.line {
            note(LogFormat.scan(bytes.dropFirst(end), at: end))
            return
        }
        let scan = LogFormat.scan(bytes, at: 0)
        guard !scan.entries.isEmpty else {
            throw StorageError.damaged(key ?? "", "“\(path)” is \(bytes.isEmpty ? "empty" : "another file")")
        }
        note(scan)
        isDamaged = true
    }

    private mutating func note(_ scan: LogFormat.Scan) {
        end = scan.end
        if scan.isDamaged { isDamaged = true }
        for entry in scan.entries {
            if let old = places[entry.key] { liveCount -= old.size }
            places[entry.key] = entry.kind == .removal ? nil : entry
            if entry.kind != .removal { liveCount += entry.size }
        }
    }

    /// Reads what has been appended since.
    mutating func readOn(_ files: any FileSystem, _ path: String) throws {
        let size = try files.size(of: descriptor, at: path)
        guard size > end else { return }
        note(LogFormat.scan(try files.read(descriptor, at: end, count: size - end, path: path), at: end))
    }

    func data(of key: String, _ files: any FileSystem, _ path: String) throws -> Data? {
        guard let place = places[key] else { return nil }
        guard place.kind == .data else { throw StorageError.damaged(key, "its record is damaged") }
        let data = try files.read(descriptor, at: place.data.lowerBound, count: place.data.count, path: path)
        guard data.count == place.data.count, Checksum.of(data) == place.checksum else {
            throw StorageError.damaged(key, "its record has changed")
        }
        return data
    }

    func isMostlyOutdated(beyond size: Int) -> Bool { end > size && end - LogFormat.line.count > liveCount * 2 }

    /// The file without what is outdated.
    func rewritten(_ files: any FileSystem, _ path: String, without key: String) throws -> Data {
        try places.values.filter { $0.key != key }.sorted { $0.start < $1.start }
            .reduce(into: LogFormat.line) { file, place in
                do {
                    guard let data = try data(of: place.key, files, path) else { return }
                    file.append(LogFormat.record(.data, place.key, data))
                } catch StorageError.damaged {
                    file.append(LogFormat.record(.damage, place.key))
                }
            }
    }

    mutating func append(
        _ record: Data, _ files: any FileSystem, _ path: String, _ durability: Durability
    ) throws {
        // Cuts off a record that a process never finished.
        if try files.size(of: descriptor, at: path) > end { try files.truncate(descriptor, to: end, path: path) }
        do {
            try files.writeAll(record, to: descriptor, at: end, path: path)
            if durability.synchronizes { try files.synchronize(descriptor, path: path) }
        } catch {
            try? files.truncate(descriptor, to: end, path: path)
            throw error
        }
        note(LogFormat.scan(record, at: end))
    }
}
