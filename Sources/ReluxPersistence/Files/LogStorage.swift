public import Foundation
public import Relux

extension Relux {
    /// A storage that appends each change to one file, for many small values that change often.
    ///
    /// A write appends one record with its keys, their lengths, and checksums. When most of the file is outdated, the
    /// storage writes a new one, and replaces the old one as ``FileStorage`` does. A record that was never finished is
    /// cut off by the next write.
    ///
    /// If anything else in the file is damaged, the storage reads the records that are whole. Before it writes, it
    /// keeps the damaged file with the suffix `.aside-1`, `.aside-2` … A key whose data are known to be damaged stays
    /// damaged until it is written, removed, or set aside. If a damaged record doesn't tell its key any more, that key
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
        private let files: any FileSystem
        private let queue = StorageQueue()
        private let log: Lock<OpenLog?>

        /// The smallest size at which a file is rewritten because most of it is outdated.
        private let smallestRewrite: Int

        /// Creates a storage. The file is created with the first write, and its folder too.
        ///
        /// - Parameters:
        ///   - file: The file of the records. Other files in its folder belong to the storage if their names start with
        ///     its name.
        ///   - durability: Which failures written data survive.
        public convenience init(file: URL, durability: Durability = .kill) {
            self.init(file: file, durability: durability, files: SystemFiles(), smallestRewrite: 1 << 16)
        }

        init(file: URL, durability: Durability, files: any FileSystem, smallestRewrite: Int) {
            (self.file, self.durability, self.files) = (file, durability, files)
            path = file.uniquePath
            self.smallestRewrite = smallestRewrite
            log = Lock(nil)
        }

        deinit {
            if let open = log.withLock({ $0 }) { files.close(open.descriptor) }
        }

        /// Whether both keep their records in the same file, even if one reaches it through a link.
        public static func == (lhs: LogStorage, rhs: LogStorage) -> Bool { lhs.path == rhs.path }

        /// Hashes the path of the file.
        public func hash(into hasher: inout Hasher) { hasher.combine(path) }

        /// The data of a key; nil if there are none.
        public func read(_ key: String) async throws -> Data? {
            try await queue.run {
                try self.existing { try self.locked(for: key) { try $0?.data(of: key, self.files, self.path) } }
            }
        }

        /// The keys that have data; none if the file isn't a log.
        public func keys() async throws -> [String] {
            try await queue.run {
                do {
                    return try self.existing { try self.locked { $0.map { Array($0.places.keys) } } } ?? []
                } catch StorageError.damaged {
                    return []
                }
            }
        }

        package func exclusively<Output: Sendable>(
            _ keys: Set<String>, _ body: @escaping @Sendable (inout [String: Data]) throws -> Output
        ) async throws -> Output {
            try await queue.run {
                if try self.files.identity(of: self.path) == nil {
                    var data: [String: Data] = [:]
                    let output = try body(&data)
                    if data.isEmpty { return output }
                }
                return try self.locked(for: keys.first) { log in
                    let old = try keys.reduce(into: [:]) { $0[$1] = try log?.data(of: $1, self.files, self.path) }
                    var new = old
                    let output = try body(&new)
                    try self.put(new, in: keys.filter { old[$0] != new[$0] }, &log)
                    return output
                }
            }
        }

        /// Appends the removal of the keys that have data, even if these are damaged. A file that isn't a log gets
        /// another name.
        public func remove(_ keys: Set<String>) async throws {
            try await queue.run {
                try self.replacingWhatIsNoLog {
                    try self.existing { try self.locked(for: keys.first) { try self.put([:], in: keys, &$0) } }
                }
            }
        }

        package func reportChanges(
            of key: String, _ report: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            FolderWatch.shared.reportChanges(of: path, isAppendedTo: true, report)
        }

        /// Keeps the data of keys in another file, which is a copy of the whole file.
        public func setAside(_ keys: Set<String>) async throws {
            try await queue.run {
                try self.replacingWhatIsNoLog {
                    try self.existing {
                        try self.locked { log in
                            guard keys.contains(where: { log?.places[$0] != nil }) else { return }
                            try self.keepCopy()
                            try self.put([:], in: keys, &log)
                        }
                    }
                }
            }
        }

        // MARK: The file

        /// Executes something if there is a file. Otherwise, there is nothing to lock, and nothing is created.
        private func existing<Output>(_ body: () throws -> Output?) throws -> Output? {
            try files.identity(of: path) == nil ? nil : body()
        }

        /// Executes something. If the file turns out to be another one than a log, or empty, it gets another name
        /// instead.
        private func replacingWhatIsNoLog(_ body: () throws -> Void?) throws {
            do {
                _ = try body()
            } catch StorageError.damaged {
                try alone {
                    try files.rename(path, to: files.nameAside(for: path))
                    if durability.synchronizes { try files.synchronizeFolder(files.folder(of: path)) }
                    close()
                }
            }
        }

        private func alone<Result>(_ body: () throws -> Result) throws -> Result {
            try files.whileLocked(path + ".lock", durability, body)
        }

        /// Executes something with the current contents of the file; nil if there is no file.
        ///
        /// After a failure, the file is read again the next time.
        private func locked<Output>(
            for key: String? = nil, _ body: (inout OpenLog?) throws -> Output
        ) throws -> Output {
            try alone {
                // The log is taken out, so that a failure leaves nothing that may be wrong. Only the queue's thread
                // does this.
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
                guard let descriptor = try files.naming(key, { try files.open(path, for: .changing) }) else { return }
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

        /// Stores the new data of some keys. Those without data are removed.
        private func put(_ data: [String: Data], in keys: Set<String>, _ log: inout OpenLog?) throws {
            let entries = keys.filter { data[$0] != nil || log?.places[$0] != nil }.map { key in
                (kind: data[key] == nil ? LogFormat.Kind.removal : .data, key: key, data: data[key] ?? Data())
            }
            if entries.isEmpty { return }
            let size = (log?.end ?? 0) + entries.reduce(0) { $0 + $1.data.count + $1.key.utf8.count + 64 }
            guard entries.allSatisfy({ $0.data.count <= SystemFiles.largest }), size <= OpenLog.largest else {
                throw StorageError.tooLarge(path)
            }
            if let open = log, !open.isDamaged, !open.isMostlyOutdated(beyond: smallestRewrite) {
                try log?.append(entries, files, path, durability)
            } else {
                if log?.isDamaged == true { try keepCopy() }
                let format = LogFormat()
                var file = try log?.rewritten(as: format, files, path, without: keys) ?? format.line
                let present = entries.filter { $0.kind == .data }
                if !present.isEmpty { file += format.record(present, at: file.count) }
                try files.replace(path, with: file, durability)
                try refresh(&log)
            }
        }

        /// Keeps a copy of the file under a free name.
        private func keepCopy() throws {
            guard let file = try files.open(path, for: .reading) else { return }
            defer { files.close(file) }
            let name = try files.nameAside(for: path)
            let copy = try files.create(name + ".tmp", like: path)
            defer { files.close(copy) }
            let size = try files.size(of: file, at: path)
            do {
                for start in stride(from: 0, to: size, by: 1 << 20) {
                    let part = try files.read(file, at: start, count: min(1 << 20, size - start), path: path)
                    try files.writeAll(part, to: copy, at: start, path: name)
                }
                if durability.synchronizes { try files.synchronize(copy, path: name) }
                try files.rename(name + ".tmp", to: name)
            } catch {
                try? files.remove(name + ".tmp")
                throw error
            }
            if durability.synchronizes { try files.synchronizeFolder(files.folder(of: path)) }
        }
    }
}

/// A log file that is open, and where its data are.
private struct OpenLog {
    static let largest = 8 << 30

    let descriptor: Int32
    let identity: FileIdentity
    private let format: LogFormat
    /// Where the data of each key are.
    private(set) var places: [String: LogFormat.Scan.Entry] = [:]
    private(set) var isDamaged: Bool
    /// Where the next record belongs.
    private(set) var end: Int
    /// About the size of the records that count.
    private var liveCount = 0

    init(_ descriptor: Int32, _ files: any FileSystem, _ path: String, for key: String?) throws {
        self.descriptor = descriptor
        identity = try files.identity(of: descriptor, at: path)
        let size = try files.size(of: descriptor, at: path)
        guard size <= Self.largest else { throw Relux.StorageError.damaged(key ?? "", "“\(path)” is too large") }
        let start = try files.read(descriptor, at: 0, count: min(size, 100), path: path)
        guard let (format, isDamaged) = LogFormat.reading(start) else {
            throw Relux.StorageError.damaged(key ?? "", "“\(path)” is \(size == 0 ? "empty" : "another file")")
        }
        (self.format, self.isDamaged, end) = (format, isDamaged, format.line.count)
        try readOn(files, path)
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
        note(try format.scan(from: end, to: size) { try files.read(descriptor, at: $0, count: $1, path: path) })
    }

    func data(of key: String, _ files: any FileSystem, _ path: String) throws -> Data? {
        guard let place = places[key] else { return nil }
        guard place.kind == .data, place.data.count <= SystemFiles.largest else {
            throw Relux.StorageError.damaged(key, "its record is damaged")
        }
        let data = try files.read(descriptor, at: place.data.lowerBound, count: place.data.count, path: path)
        guard data.count == place.data.count, Checksum.of(data) == place.checksum else {
            throw Relux.StorageError.damaged(key, "its record has changed")
        }
        return data
    }

    func isMostlyOutdated(beyond size: Int) -> Bool { end > size && end - format.line.count > liveCount * 2 }

    /// The file in another format, without what is outdated.
    func rewritten(
        as other: LogFormat, _ files: any FileSystem, _ path: String, without keys: Set<String>
    ) throws -> Data {
        try places.values.filter { !keys.contains($0.key) }.sorted { $0.data.lowerBound < $1.data.lowerBound }
            .reduce(into: other.line) { file, place in
                do {
                    guard let data = try data(of: place.key, files, path) else { return }
                    file.append(other.record([(.data, place.key, data)], at: file.count))
                } catch Relux.StorageError.damaged {
                    file.append(other.record([(.damage, place.key, Data())], at: file.count))
                }
            }
    }

    mutating func append(
        _ entries: [(kind: LogFormat.Kind, key: String, data: Data)], _ files: any FileSystem, _ path: String,
        _ durability: Relux.Durability
    ) throws {
        // Cuts off a record that a process never finished.
        if try files.size(of: descriptor, at: path) > end { try files.truncate(descriptor, to: end, path: path) }
        let record = format.record(entries, at: end)
        do {
            try files.writeAll(record, to: descriptor, at: end, path: path)
            if durability.synchronizes { try files.synchronize(descriptor, path: path) }
        } catch {
            try? files.truncate(descriptor, to: end, path: path)
            throw error
        }
        let start = end
        note(format.scan(from: start, to: start + record.count) { record.dropFirst($0 - start).prefix($1) })
    }
}
