public import Foundation
public import Relux

extension Relux {
    /// A storage in memory, for tests and previews. Stores that share it behave as if they shared a file.
    ///
    /// - Durability: The data are lost when it is released.
    public final class MemoryStorage: LockingStorage {
        private struct Contents {
            var data: [String: Data]
            var watchers: [UUID: (key: String, report: @Sendable () -> Void)] = [:]
        }

        private let contents: Lock<Contents>
        /// Locked while a change is computed, which excludes other changes. Readers don't need it, so that a closure
        /// which reads the storage doesn't wait for itself.
        // Not of a value without a size: to the thread sanitizer, that has the address of the lock's own header.
        private let turn = Lock(false)

        /// Creates a storage.
        ///
        /// - Parameter data: Its contents, by key.
        public init(_ data: [String: Data] = [:]) { contents = Lock(Contents(data: data)) }

        /// The contents, by key.
        public var data: [String: Data] { contents.withLock { $0.data } }

        /// The data of a key; nil if there are none.
        public func read(_ key: String) async throws -> Data? { contents.withLock { $0.data[key] } }

        /// The keys that have data.
        public func keys() async throws -> [String] { contents.withLock { Array($0.data.keys) } }

        package func exclusively(
            _ keys: Set<String>, startingWith start: String? = nil,
            _ change: (_ present: [String: Data]) throws -> [String: Data?]
        ) throws -> [String: Data] {
            let result = turn.withLock { _ in
                Result {
                    let old = contents.withLock { contents in
                        let others = start.map { start in contents.data.keys.filter { $0.hasPrefix(start) } } ?? []
                        return keys.union(others).reduce(into: [:]) { $0[$1] = contents.data[$1] }
                    }
                    let changes = try change(old)
                    let reports = contents.withLock { contents in
                        for (key, data) in changes { contents.data[key] = data }
                        return contents.watchers.values.filter { changes[$0.key] != nil }.map(\.report)
                    }
                    return (old, reports)
                }
            }
            let (old, reports) = try result.get()
            for report in reports { report() }
            return old
        }

        package func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let id = UUID()
            contents.withLock { $0.watchers[id] = (key, report) }
            return { [weak self] in _ = self?.contents.withLock { $0.watchers.removeValue(forKey: id) } }
        }

        /// Replaces everything, without a report.
        package func replaceAll(with data: [String: Data]) { contents.withLock { $0.data = data } }
    }
}
