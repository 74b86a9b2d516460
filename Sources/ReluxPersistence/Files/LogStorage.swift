public import Foundation
public import Relux

extension Relux {
    /// A storage that appends each change to one file, for many small values that change often.
    ///
    /// A write appends one record with its keys, their lengths, and checksums. When most of the file is outdated, the
    /// storage writes a new one if there is room for it, and replaces the old one as ``FileStorage`` does. A record
    /// that was never finished is cut off by the next write.
    ///
    /// If anything else in the file is damaged, the storage reads the records that are whole. Before it writes, it
    /// keeps the damaged file with the suffix `.aside-1`, `.aside-2` … A key whose data are known to be damaged stays
    /// damaged until it is removed or set aside. If a damaged record doesn't tell its key any more, that key
    /// has the data of the record before.
    ///
    /// - Isolation: The file is read and written on a thread of the storage. Processes take turns with a lock that is
    ///   held only during an operation.
    /// - Ordering: The calls through one value are executed one after the other.
    /// - Cancellation: Ignored.
    /// - Lifetime: The file stays open as long as the storage.
    /// - Durability: That of ``durability``.
    /// - Errors: Data of more than 2 GiB are refused with `EFBIG`, as is a file of more than 8 GiB.
    /// - Privacy: New files and folders can be read by their owner only. A file that is rewritten keeps its
    ///   permissions.
    /// - Complexity: The first call reads the whole file. Later ones read and write the data of their key, and what
    ///   other processes have appended. Rewriting is O(n), amortised O(1) for each byte written.
    public final class LogStorage: LockingStorage, Hashable {
        /// Where the records are.
        public let file: URL
        /// Which failures written data survive.
        public let durability: Durability
        private let path: String
        private let files: FileSystem
        private let queue = StorageQueue()
        private let log = Lock<OpenLog?>(nil)

        /// The smallest size at which a file is rewritten because most of it is outdated.
        private let smallestRewrite: Int

        /// Creates a storage. The file is created with the first write, and its folder too.
        ///
        /// - Parameters:
        ///   - file: The file of the records. Other files in its folder belong to the storage if their names start with
        ///     its name.
        ///   - durability: Which failures written data survive.
        public convenience init(file: URL, durability: Durability = .kill) {
            self.init(file: file, files: FileSystem(durability: durability), smallestRewrite: 1 << 16)
        }

        init(file: URL, files: FileSystem, smallestRewrite: Int) {
            (self.file, path, self.durability) = (file, file.uniquePath, files.durability)
            (self.files, self.smallestRewrite) = (files, smallestRewrite)
        }

        /// Whether both keep their records in the same file, even if one reaches it through a link.
        public static func == (lhs: LogStorage, rhs: LogStorage) -> Bool { lhs.path == rhs.path }

        /// Hashes the path of the file.
        public func hash(into hasher: inout Hasher) { hasher.combine(path) }

        /// The data of a key; nil if there are none.
        public func read(_ key: String) async throws -> Data? {
            try await exclusively([key], startingWith: nil) { _ in [:] }[key]
        }

        package func beginning(of key: String, count: Int) async throws -> Data? {
            try await queue.run {
                guard try files.exists(path) else { return nil }
                return try locked(for: key) { try $0?.data(of: key, upTo: count) }
            }
        }

        /// The keys that have data; none if the file isn't a log.
        public func keys() async throws -> [String] {
            try await queue.run {
                guard try files.exists(path) else { return [] }
                do { return try locked { Array(($0?.places ?? [:]).keys) } } catch StorageError.damaged { return [] }
            }
        }

        package func exclusively(
            _ keys: Set<String>, startingWith start: String?, _ change: StorageChange
        ) async throws -> [String: Data] {
            try await queue.run {
                if try !files.exists(path), try change([:]).isEmpty { return [:] }
                return try locked(for: keys.first ?? "") { log in
                    let others = start.map { start in log?.places.keys.filter { $0.hasPrefix(start) } ?? [] } ?? []
                    let old = try present(keys.union(others), in: log)
                    try put(change(old), in: &log)
                    return old
                }
            }
        }

        /// Appends the removal of the keys that have data, even if these are damaged. A file that isn't a log gets
        /// another name.
        public func remove(_ keys: Set<String>) async throws { try await remove(keys, keepingCopy: false) }

        /// Keeps the data of keys in another file, which is a copy of the whole file.
        public func setAside(_ keys: Set<String>) async throws { try await remove(keys, keepingCopy: true) }

        package func setAside(
            _ keys: Set<String>, unless isGood: @escaping StorageJudge
        ) async throws {
            try await remove(keys, keepingCopy: true, unless: isGood)
        }

        package func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            FolderWatch.shared.reportChanges(of: path, isAppendedTo: true, report)
        }

        /// - Parameter isGood: Whether the data stay, if none of them are damaged; nil if they don't.
        private func remove(
            _ keys: Set<String>, keepingCopy: Bool, unless isGood: StorageJudge? = nil
        ) async throws {
            try await queue.run {
                guard try files.exists(path) else { return }
                let removals = Dictionary(uniqueKeysWithValues: keys.map { ($0, Data?.none) })
                try files.whileLocked(path + ".lock") {
                    do {
                        try current { log in
                            do {
                                if let isGood, isGood(try present(keys, in: log)) { return }
                            } catch StorageError.damaged {}
                            try put(removals, in: &log, keepingCopy: keepingCopy)
                        }
                    } catch StorageError.damaged {
                        // Another file than a log, or an empty one.
                        try files.setAside(path)
                    }
                }
            }
        }

        // MARK: The file

        private func present(_ keys: Set<String>, in log: OpenLog?) throws -> [String: Data] {
            try keys.reduce(into: [:]) { $0[$1] = try log?.data(of: $1) }
        }

        private func locked<Output>(for key: String = "", _ body: (inout OpenLog?) throws -> Output) throws -> Output {
            try files.whileLocked(path + ".lock") { try current(for: key, body) }
        }

        /// Executes something with the current contents of the file; nil if there is no file. Only what others have
        /// appended is read, unless the file has been replaced. Must be called while the file is locked.
        ///
        /// After a failure, the file is read again the next time.
        ///
        /// - Parameter key: The key that is asked for, for the error.
        private func current<Output>(for key: String = "", _ body: (inout OpenLog?) throws -> Output) throws -> Output {
            // The log is taken out, so that a failure leaves nothing that may be wrong. Only the queue's thread does
            // this.
            var log = self.log.withLock { $0.take() }
            if let open = log, try !open.file.hasItsPath { log = nil }
            if log == nil { log = try files.file(at: path, O_RDWR, for: key).map { try OpenLog($0, for: key) } }
            try log?.readOn(for: key)
            let output = try body(&log)
            self.log.withLock { [log] in $0 = log }
            return output
        }

        /// Stores the new data of some keys. Those without data are removed.
        ///
        /// - Parameter keepingCopy: Whether the old file is kept in any case, and not only if it is damaged.
        private func put(_ changes: [String: Data?], in log: inout OpenLog?, keepingCopy: Bool = false) throws {
            let changes = changes.filter { $0.value != nil || log?.places[$0.key] != nil }
            if changes.isEmpty { return }
            let size = (log?.end ?? 0) + changes.reduce(0) { $0 + ($1.value?.count ?? 0) + $1.key.utf8.count + 64 }
            guard changes.values.allSatisfy({ $0?.count ?? 0 <= FileSystem.largest }), size <= OpenLog.largest else {
                throw FileSystem.tooLarge(path)
            }
            if let open = log, keepingCopy || open.isDamaged { try keepCopy(of: open.file) }
            guard let open = log, !open.isDamaged else { return try rewrite(changes, &log) }
            if open.isMostlyOutdated(beyond: smallestRewrite) {
                do { return try rewrite(changes, &log) } catch {
                    // It only saves space. The disk may be too full for it.
                    guard try open.file.hasItsPath else { throw error }
                }
            }
            try log?.append(changes)
        }

        private func rewrite(_ changes: [String: Data?], _ log: inout OpenLog?) throws {
            let format = LogFormat()
            let contents = try log?.rewritten(as: format, without: changes) ?? format.line
            try files.replace(path, like: path) { file in
                try file.write(contents)
                try file.write(format.record(changes, at: contents.count), at: contents.count)
            }
            log = nil
        }

        /// Keeps a copy of the file under a free name.
        private func keepCopy(of file: File) throws {
            let size = try file.size
            try files.replace(files.nameAside(for: path), like: path) { copy in
                for start in stride(from: 0, to: size, by: 1 << 20) {
                    try copy.write(file.read(at: start, count: min(1 << 20, size - start)), at: start)
                }
            }
        }
    }
}

/// A log file that is open, and where its data are.
private struct OpenLog {
    static let largest = 8 << 30

    let file: File
    private let format: LogFormat
    /// Where the data of each key are.
    private(set) var places: [String: LogFormat.Scan.Entry] = [:]
    private(set) var isDamaged: Bool
    /// Where the next record belongs.
    private(set) var end: Int
    /// About the size of the records that count.
    private var liveCount = 0
    /// The size of the file when it was read last.
    private var readCount = 0

    /// A file of which only the first line has been read.
    init(_ file: File, for key: String) throws {
        self.file = file
        let size = try file.size
        guard let (format, isDamaged) = LogFormat.reading(try file.read(at: 0, count: min(size, 100))) else {
            throw Relux.StorageError.damaged(key, "“\(file.path)” is \(size == 0 ? "empty" : "another file")")
        }
        (self.format, self.isDamaged, end) = (format, isDamaged, format.line.count)
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
    mutating func readOn(for key: String) throws {
        let size = try file.size
        // Others may have made it so large.
        guard size <= Self.largest else { throw Relux.StorageError.damaged(key, "“\(file.path)” is too large") }
        // Zeros that were there before are still no record.
        guard size > end, try size != readCount || file.read(at: end, count: 1) != Data([0]) else { return }
        note(try format.scan(from: end, to: size, file.read))
        readCount = size
    }

    /// - Parameter limit: The number of bytes that are wanted at most. If there are more, the checksum isn't verified.
    func data(of key: String, upTo limit: Int = FileSystem.largest) throws -> Data? {
        guard let place = places[key] else { return nil }
        guard place.kind == .data, place.data.count <= FileSystem.largest else {
            throw Relux.StorageError.damaged(key, "its record is damaged")
        }
        let count = min(place.data.count, limit)
        let data = try file.read(at: place.data.lowerBound, count: count)
        guard data.count == count, count < place.data.count || Checksum.of(data) == place.checksum else {
            throw Relux.StorageError.damaged(key, "its record has changed")
        }
        return data
    }

    func isMostlyOutdated(beyond size: Int) -> Bool { end > size && end - format.line.count > liveCount * 2 }

    /// The contents in another format, without what is outdated or changes.
    func rewritten(as other: LogFormat, without changes: [String: Data?]) throws -> Data {
        try places.values.filter { changes[$0.key] == nil }.sorted { $0.data.lowerBound < $1.data.lowerBound }
            .reduce(into: other.line) { contents, place in
                do {
                    contents += other.record([place.key: try data(of: place.key)], at: contents.count)
                } catch Relux.StorageError.damaged {
                    contents += other.record([place.key: nil], isDamage: true, at: contents.count)
                }
            }
    }

    mutating func append(_ changes: [String: Data?]) throws {
        // Cuts off a record that a process never finished.
        if try file.size > end { try file.truncate(to: end) }
        let (start, record) = (end, format.record(changes, at: end))
        do {
            try file.write(record, at: start)
            try file.synchronize()
        } catch {
            try? file.truncate(to: start)
            throw error
        }
        note(format.scan(from: start, to: start + record.count) { record.dropFirst($0 - start).prefix($1) })
    }
}
