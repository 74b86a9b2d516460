public import Foundation
public import Relux

extension Relux {
    /// A storage that keeps the data of each key in a file of its own, in one folder.
    ///
    /// A file is replaced by renaming a complete new one, so a reader finds either the old data or the new ones, even
    /// if the process is killed in between. An operation on several files first writes down how to complete it; if it
    /// is interrupted, the next operation in the folder, in any process, does so. Processes take turns with a lock that
    /// is held only during an operation.
    ///
    /// An empty file, a file that this library has not written, anything that isn't a file, and a file that something
    /// else has changed count as damaged, and not as missing. A file that is set aside gets the suffix `.aside-1`,
    /// `.aside-2` …
    ///
    /// - Isolation: The files are read and written on a thread of the storage.
    /// - Ordering: The calls through one value are executed one after the other.
    /// - Cancellation: Ignored.
    /// - Errors: Data of more than 2 GiB are refused with `EFBIG`.
    /// - Durability: That of ``durability``.
    /// - Privacy: New files and folders can be read by their owner only. A file that is replaced keeps its permissions.
    /// - Complexity: A call reads or writes the data of its keys. ``keys()`` lists the folder, and reads the files of
    ///   keys that are too long for a name.
    public struct FileStorage: LockingStorage, Hashable {
        /// The folder of the files.
        public let folder: URL
        /// Which failures written data survive.
        public let durability: Durability
        private let root: String
        private let files: FileSystem
        private let queue = StorageQueue()

        /// Creates a storage. The folder is created with the first write.
        ///
        /// - Parameters:
        ///   - folder: The folder of the files. Nothing else should be in it.
        ///   - durability: Which failures written data survive.
        public init(folder: URL, durability: Durability = .kill) {
            self.init(folder: folder, files: FileSystem(durability: durability))
        }

        init(folder: URL, files: FileSystem) {
            (self.folder, root, self.durability, self.files) = (folder, folder.uniquePath, files.durability, files)
        }

        /// Whether both keep their files in the same folder, even if one reaches it through a link.
        public static func == (lhs: FileStorage, rhs: FileStorage) -> Bool { lhs.root == rhs.root }

        /// Hashes the path of the folder.
        public func hash(into hasher: inout Hasher) { hasher.combine(root) }

        private func path(_ name: String) -> String { "\(root)/\(name)" }
        private func path(of key: String) -> String { path(FileName.of(key)) }

        /// The data of a key; nil if there is no file.
        public func read(_ key: String) async throws -> Data? {
            try await queue.run {
                try completeInterrupted()
                return try present(key)
            }
        }

        package func beginning(of key: String, count: Int) async throws -> Data? {
            try await queue.run {
                try completeInterrupted()
                return try Envelope.opening(path(of: key), of: key, in: files, upTo: count)?.data
            }
        }

        /// The keys that have data, except for very long keys that their damaged files don't tell any more.
        public func keys() async throws -> [String] { try await keys(startingWith: "") }

        package func keys(startingWith start: String) async throws -> [String] {
            try await queue.run {
                try completeInterrupted()
                return try listed(start)
            }
        }

        private func listed(_ start: String) throws -> [String] {
            let beginning = FileName.beginning(of: start)
            return try files.names(in: root)
                .filter { FileName.isOfKey($0) && (FileName.isHashed($0) || $0.hasPrefix(beginning)) }
                .compactMap { name in
                    if let key = FileName.key(of: name) { return key }
                    do {
                        // Without the data: the name tells whether the key is right.
                        let key = try Envelope.opening(path(name), of: nil, in: files, upTo: 0)?.key
                        return key.map(FileName.of) == name ? key : nil
                    } catch StorageError.damaged {
                        return nil
                    }
                }
                .filter { $0.hasPrefix(start) }
        }

        package func exclusively(
            _ keys: Set<String>, startingWith start: String?, _ change: StorageChange
        ) async throws -> [String: Data] {
            try await queue.run {
                if try !files.exists(root), try change([:]).isEmpty { return [:] }
                return try alone {
                    let keys = keys.union(try start.map(listed) ?? [])
                    let old = try present(keys)
                    let changes = try change(old)
                    // A damaged file may not tell its key any more.
                    _ = try present(Set(changes.keys).subtracting(keys))
                    try carryOut { try prepare(changes, &$0) }
                    return old
                }
            }
        }

        /// Removes the files of several keys, whatever they contain.
        public func remove(_ keys: Set<String>) async throws { try await move(keys) { _ in "" } }

        /// Gives the files of several keys other names, whatever they contain.
        public func setAside(_ keys: Set<String>) async throws { try await move(keys, to: nameAside) }

        package func setAside(
            _ keys: Set<String>, unless isGood: @escaping StorageJudge
        ) async throws {
            try await move(keys, unless: isGood, to: nameAside)
        }

        package func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            FolderWatch.shared.reportChanges(of: path(of: key), isAppendedTo: false, report)
        }

        private func nameAside(for name: String) throws -> String {
            (try files.nameAside(for: path(name)) as NSString).lastPathComponent
        }

        /// - Parameters:
        ///   - isGood: Whether the files stay, if none of them is damaged; nil if they don't.
        ///   - target: The new name of a file; empty to remove it.
        private func move(
            _ keys: Set<String>, unless isGood: StorageJudge? = nil,
            to target: @Sendable (_ name: String) throws -> String
        ) async throws {
            try await queue.run {
                try completeInterrupted()
                func names() throws -> [String] { try keys.map(FileName.of).filter { try files.exists(path($0)) } }
                if try names().isEmpty { return }
                try alone {
                    do {
                        if let isGood, isGood(try present(keys)) { return }
                    } catch StorageError.damaged {}
                    try carryOut { steps in steps = try names().map { Step(from: $0, to: try target($0)) } }
                }
            }
        }

        private func present(_ keys: Set<String>) throws -> [String: Data] {
            try keys.reduce(into: [:]) { $0[$1] = try present($1) }
        }

        private func present(_ key: String) throws -> Data? {
            try Envelope.opening(path(of: key), of: key, in: files)?.data
        }

        // MARK: Operations on several files

        /// A file that gets another name, or is removed.
        private struct Step {
            let from: String
            /// Empty to remove the file.
            let to: String

            /// Whether the files belong to the storage, and not to its own work or to others.
            var isOwn: Bool {
                !from.isEmpty
                    && [from, to].allSatisfy { name in
                        // A zero byte would end the name.
                        name.utf8.count <= 255 && !name.contains("/") && !name.contains("\0") && !name.hasPrefix(".")
                    }
            }
        }

        private var journal: String { path(".journal") }

        /// Executes something while no other process uses the folder, and after all its operations are complete.
        private func alone<Output>(_ body: () throws -> Output) throws -> Output {
            try files.whileLocked(path(".lock")) {
                try completeJournal()
                return try body()
            }
        }

        /// Completes an operation of another process that was killed before all files had their names.
        private func completeInterrupted() throws { if try files.exists(journal) { try alone {} } }

        /// Writes the new files of keys, under names of their own.
        private func prepare(_ changes: [String: Data?], _ steps: inout [Step]) throws {
            for (key, data) in changes {
                let (name, path) = (FileName.of(key), path(of: key))
                if let data {
                    guard data.count <= FileSystem.largest - 1 << 20 else { throw FileSystem.tooLarge(path) }
                    _ = try files.prepare(path, like: path) { try $0.write(Envelope.sealing(data, of: key)) }
                }
                steps.append(data == nil ? Step(from: name, to: "") : Step(from: name + ".tmp", to: name))
            }
        }

        /// Carries out the steps that a closure prepares, all or nothing.
        private func carryOut(_ prepare: (inout [Step]) throws -> Void) throws {
            var steps: [Step] = []
            do {
                try prepare(&steps)
                if steps.count > 1 {
                    try files.synchronizeFolder(root)
                    let lines = steps.map { "\($0.from)\n\($0.to)\n" }.joined()
                    try files.replace(journal, like: journal) {
                        try $0.write(Envelope.sealing(Data(lines.utf8), of: ".journal"))
                    }
                } else if let step = steps.first {
                    try carryOut(step)
                    try files.synchronizeFolder(root)
                }
            } catch {
                // A journal that is there will be completed. Otherwise, nothing has begun.
                if try !files.exists(journal) {
                    for step in steps where step.from.hasSuffix(".tmp") { try? files.remove(path(step.from)) }
                }
                throw error
            }
            try completeJournal()
        }

        private func carryOut(_ step: Step) throws {
            let from = path(step.from)
            if !step.to.isEmpty { return try files.move(from, to: path(step.to)) }
            do {
                try files.remove(from)
            } catch StorageError.system(_, _, let code) where code == EISDIR || code == EPERM {
                // A folder in place of the file. It may have contents, and the operation has to end.
                try files.setAside(from)
            }
        }

        /// Completes the operation that is written down in the journal.
        private func completeJournal() throws {
            do {
                guard let lines = try Envelope.opening(journal, of: ".journal", in: files)?.data else { return }
                let names = String(decoding: lines, as: UTF8.self).components(separatedBy: "\n")
                let steps = stride(from: 0, to: names.count - 1, by: 2).map { Step(from: names[$0], to: names[$0 + 1]) }
                guard steps.allSatisfy(\.isOwn) else {
                    throw StorageError.damaged(".journal", "“\(journal)” names a file that isn't the storage's")
                }
                // One whose file is not there was carried out before.
                for step in steps where try files.exists(path(step.from)) { try carryOut(step) }
                try files.synchronizeFolder(root)
                try files.remove(journal)
                // If the journal came back, it would undo what follows.
                try files.synchronizeFolder(root)
            } catch StorageError.damaged {
                try files.setAside(journal)
            }
        }
    }
}
