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
            (self.folder, self.durability, self.files) = (folder, durability, files)
            root = folder.uniquePath
        }

        /// Whether both keep their files in the same folder, even if one reaches it through a link.
        public static func == (lhs: FileStorage, rhs: FileStorage) -> Bool { lhs.root == rhs.root }

        /// Hashes the path of the folder.
        public func hash(into hasher: inout Hasher) { hasher.combine(root) }

        private func path(of key: String) -> String { "\(root)/\(FileName.of(key))" }

        /// The data of a key; nil if there is no file.
        public func read(_ key: String) async throws -> Data? {
            try await queue.run {
                // Another process may have been killed before all files of an operation had their names.
                if try files.identity(of: journal) != nil { try alone {} }
                return try present(key)
            }
        }

        /// The keys that have data, except for very long keys whose files are damaged.
        public func keys() async throws -> [String] {
            try await queue.run {
                if try files.identity(of: journal) != nil { try alone {} }
                return try (files.names(in: root) ?? []).filter { FileName.isOfKey($0) }.compactMap { name in
                    if let key = FileName.key(of: name) { return key }
                    let path = "\(root)/\(name)"
                    do {
                        let file = try files.contents(of: path, for: "") {
                            try Envelope.check($0, $1, at: path, of: "")
                        }
                        return try file.map { try Envelope.opening($0, at: path, of: nil).key }
                    } catch StorageError.damaged {
                        return nil
                    }
                }
            }
        }

        package func exclusively<Output: Sendable>(
            _ keys: Set<String>, _ body: @escaping @Sendable (inout [String: Data]) throws -> Output
        ) async throws -> Output {
            try await queue.run {
                if try files.identity(of: root) == nil {
                    var data: [String: Data] = [:]
                    let output = try body(&data)
                    if data.isEmpty { return output }
                }
                return try alone {
                    let old = try keys.reduce(into: [:]) { $0[$1] = try present($1) }
                    var new = old
                    let output = try body(&new)
                    try carryOut(steps(for: keys.filter { old[$0] != new[$0] }, in: new))
                    return output
                }
            }
        }

        /// Removes the files of several keys, whatever they contain.
        public func remove(_ keys: Set<String>) async throws { try await move(keys) { _ in nil } }

        /// Gives the files of several keys other names, whatever they contain.
        public func setAside(_ keys: Set<String>) async throws { try await move(keys) { try files.nameAside(for: $0) } }

        package func reportChanges(
            of key: String, _ report: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            FolderWatch.shared.reportChanges(of: path(of: key), isAppendedTo: false, report)
        }

        private func move(_ keys: Set<String>, to name: @escaping @Sendable (_ path: String) throws -> String?)
            async throws
        {
            try await queue.run {
                func isThere(_ key: String) throws -> Bool { try files.identity(of: path(of: key)) != nil }
                guard try files.identity(of: journal) != nil || keys.contains(where: isThere) else { return }
                try alone {
                    try carryOut(keys.filter(isThere).map { Step(from: path(of: $0), to: try name(path(of: $0))) })
                }
            }
        }

        private func present(_ key: String) throws -> Data? {
            let path = path(of: key)
            return try files.contents(of: path, for: key) { try Envelope.check($0, $1, at: path, of: key) }
                .map { try Envelope.opening($0, at: path, of: key).data }
        }

        // MARK: Operations on several files

        /// A file that gets another name, or is removed.
        private struct Step {
            let from: String
            /// Nil removes the file.
            let to: String?
        }

        private var journal: String { "\(root)/.journal" }

        /// Executes something while no other process uses the folder, and after all its operations are complete.
        private func alone<Output>(_ body: () throws -> Output) throws -> Output {
            try files.whileLocked("\(root)/.lock", durability) {
                try completeJournal()
                return try body()
            }
        }

        /// Writes the new files of keys, under names of their own.
        private func steps(for keys: Set<String>, in new: [String: Data]) throws -> [Step] {
            var steps: [Step] = []
            do {
                for key in keys {
                    let path = path(of: key)
                    guard let data = new[key] else {
                        steps.append(Step(from: path, to: nil))
                        continue
                    }
                    guard data.count <= SystemFiles.largest - 1 << 20 else { throw StorageError.tooLarge(path) }
                    let file = try files.prepare(path, with: Envelope.sealing(data, of: key), durability)
                    steps.append(Step(from: file, to: path))
                }
            } catch {
                discard(steps)
                throw error
            }
            return steps
        }

        private func carryOut(_ steps: [Step]) throws {
            if steps.count > 1 {
                do {
                    if durability.synchronizes { try files.synchronizeFolder(root) }
                    let lines = steps.map { "\(name($0.from))\n\($0.to.map(name) ?? "")\n" }.joined()
                    try files.replace(journal, with: Envelope.sealing(Data(lines.utf8), of: ".journal"), durability)
                } catch {
                    // A journal that is there will be completed.
                    if try files.identity(of: journal) == nil { discard(steps) }
                    throw error
                }
                return try completeJournal()
            }
            do { for step in steps { try carryOut(step) } } catch {
                discard(steps)
                throw error
            }
            if durability.synchronizes, !steps.isEmpty { try files.synchronizeFolder(root) }
        }

        private func carryOut(_ step: Step) throws {
            if let name = step.to { return try files.rename(step.from, to: name) }
            do {
                try files.remove(step.from)
            } catch StorageError.system(_, _, let code) where code == EISDIR || code == EPERM {
                // A folder in place of the file. It may have contents, and the operation has to end.
                try files.rename(step.from, to: files.nameAside(for: step.from))
            }
        }

        /// Removes the new files of an operation that has not begun.
        private func discard(_ steps: [Step]) {
            for step in steps where step.from.hasSuffix(".tmp") { try? files.remove(step.from) }
        }

        private func name(_ path: String) -> String { String(path.dropFirst(root.count + 1)) }

        /// Completes the operation that is written down in the journal.
        private func completeJournal() throws {
            guard try files.identity(of: journal) != nil else { return }
            do {
                let file = try files.contents(of: journal, for: ".journal")
                let lines = try file.map { try Envelope.opening($0, at: journal, of: ".journal").data } ?? Data()
                let names = String(decoding: lines, as: UTF8.self).split(
                    separator: "\n", omittingEmptySubsequences: false)
                let steps = stride(from: 0, to: names.count - 1, by: 2).map { (from: names[$0], to: names[$0 + 1]) }
                let isForeign = steps.contains { from, to in
                    from.isEmpty || (from + to).contains("/") || from.hasPrefix(".") || to.hasPrefix(".")
                }
                guard !isForeign else {
                    throw StorageError.damaged(".journal", "“\(journal)” names a file that isn't the storage's")
                }
                // One whose file is not there was carried out before.
                for (from, to) in steps where try files.identity(of: "\(root)/\(from)") != nil {
                    try carryOut(Step(from: "\(root)/\(from)", to: to.isEmpty ? nil : "\(root)/\(to)"))
                }
                if durability.synchronizes { try files.synchronizeFolder(root) }
                try files.remove(journal)
            } catch StorageError.damaged {
                try files.rename(journal, to: files.nameAside(for: journal))
            }
        }
    }
}
