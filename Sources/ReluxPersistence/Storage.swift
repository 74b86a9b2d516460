public import Foundation
public import Relux

extension Relux {
    /// A place that keeps data under keys.
    ///
    /// Any string can be a key, even an empty or very long one, or one that looks like a path. Strings that are equal
    /// in Swift are the same key, whatever their Unicode normalization.
    ///
    /// - Isolation: Can be used from anywhere, and by several stores and processes at the same time.
    /// - Ordering: Once a call has returned, every later call sees its effect, in every process.
    /// - Errors: A function that throws has changed nothing, or everything if the error came after the change, such as
    ///   one of synchronising. It never leaves a part. If data were read but can't be trusted, it throws
    ///   ``StorageError/damaged(_:_:)``. Any other error means that the data may be readable later.
    /// - Durability: Once a function has returned, the written data survive the end of the process. Whether they
    ///   survive a power failure depends on the storage.
    public protocol Storage: Sendable {
        /// The data of a key; nil if there are none.
        func read(_ key: String) async throws -> Data?

        /// The keys that have data, in no particular order. Keys that can't be told because their data are damaged may
        /// be missing.
        func keys() async throws -> [String]

        /// Replaces, adds, and removes the data of several keys, as one atomic operation: nobody else, in this process
        /// or another one, can change or see them in between, and after a crash, all changes are there or none.
        ///
        /// - Parameters:
        ///   - keys: The only keys that the closure may change.
        ///   - change: Gets the present data of these keys, without the keys that have none. It may be called again
        ///     with other data if somebody else was faster, so it should only compute. If it throws, the error is
        ///     passed on, and nothing is changed.
        /// - Throws: ``StorageError/damaged(_:_:)`` if the data of one of the keys are damaged, without calling
        ///   `change`.
        func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws

        /// Removes the data of several keys, all or nothing, even if they are damaged. By default, this is an
        /// ``update(_:_:)``.
        func remove(_ keys: Set<String>) async throws

        /// Moves the data of several keys to other names, all or nothing, and leaves the keys without data. Data that
        /// were set aside earlier are kept.
        ///
        /// By default, this is an ``update(_:_:)`` that moves the data to the first free keys among `key.aside-1`,
        /// `key.aside-2` … A storage that can tell that data are damaged also moves these.
        ///
        /// The storages of this library judge the data in the same operation, for `Saved`, and keep what others have
        /// written since the damage was found. In a storage of your own, that is moved as well.
        func setAside(_ keys: Set<String>) async throws

        /// Reports that others may have changed the data of a key. By default, it ends at once.
        ///
        /// The stream may report more often than necessary, and may combine several changes into one report. It misses
        /// no change after this call.
        func changes(of key: String) -> AsyncStream<Void>
    }
}

/// The error of an update that sets data aside under a name that has data.
private struct NameTaken: Error {}

extension Relux.Storage {
    /// Replaces the data of a key, all or nothing.
    public func write(_ data: Data, to key: String) async throws { try await update([key]) { $0[key] = data } }

    /// Removes the data of a key. Does nothing if there are none.
    public func remove(_ key: String) async throws { try await remove([key]) }

    /// Replaces the data of a key by the result of a closure, as one atomic operation.
    ///
    /// - Parameter change: Gets the present data, and returns the new ones; nil removes the key. Otherwise, as for
    ///   several keys.
    public func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws {
        try await update([key]) { $0[key] = try change($0[key]) }
    }

    /// Moves the data of a key to another name, and leaves the key without data.
    public func setAside(_ key: String) async throws { try await setAside([key]) }

    /// Removes the data by an update.
    public func remove(_ keys: Set<String>) async throws { try await update(keys) { $0 = [:] } }

    /// Moves the data to other keys.
    public func setAside(_ keys: Set<String>) async throws { try await moveAside(keys) { _ in false } }

    fileprivate func moveAside(
        _ keys: Set<String>, unless isGood: @escaping StorageJudge
    ) async throws {
        var number = 1
        while true {
            let names = keys.map { [number] in (key: $0, aside: "\($0).aside-\(number)") }
            do {
                return try await update(keys.union(names.map(\.aside))) { data in
                    if isGood(data.filter { keys.contains($0.key) }) { return }
                    guard names.allSatisfy({ data[$0.aside] == nil }) else { throw NameTaken() }
                    for (key, aside) in names { data[aside] = data.removeValue(forKey: key) }
                }
            } catch is NameTaken {
                number += 1
            }
        }
    }

    /// Reports nothing: nobody else changes the data.
    public func changes(of key: String) -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// Gets the present data of some keys, and returns the new ones; nil for a key that is removed.
package typealias StorageChange = @Sendable (_ present: [String: Data]) throws -> [String: Data?]

/// Decides whether the present data of some keys can be read.
package typealias StorageJudge = @Sendable (_ present: [String: Data]) -> Bool

/// A storage that excludes all others while it changes data, and calls a closure when data may have changed.
package protocol LockingStorage: Relux.Storage {
    /// Changes the data of some keys while nobody else can change them, all or nothing.
    ///
    /// - Parameter start: The beginning of further keys that are read, and may be changed; nil if there are none.
    /// - Returns: The data before the change.
    /// - Throws: ``StorageError/damaged(_:_:)`` also if something damaged is in the place of a key that is added.
    func exclusively(
        _ keys: Set<String>, startingWith start: String?, _ change: StorageChange
    ) async throws -> [String: Data]

    /// Moves the data of several keys to other names, as ``setAside(_:)`` does, unless they can be read by now.
    ///
    /// - Parameter isGood: Judges the present data, which nobody can change meanwhile. It isn't called if some of them
    ///   are damaged.
    func setAside(_ keys: Set<String>, unless isGood: @escaping StorageJudge) async throws

    /// The keys that have data and start in this way. The others cost as little as possible.
    func keys(startingWith start: String) async throws -> [String]

    /// The first bytes of the data of a key; nil if there are none. The others are neither read nor checked.
    func beginning(of key: String, count: Int) async throws -> Data?

    /// - Parameter report: Called on any thread, until the returned closure is called.
    func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension LockingStorage {
    package func beginning(of key: String, count: Int) async throws -> Data? { try await read(key)?.prefix(count) }

    package func keys(startingWith start: String) async throws -> [String] {
        try await keys().filter { $0.hasPrefix(start) }
    }

    package func setAside(
        _ keys: Set<String>, unless isGood: @escaping StorageJudge
    ) async throws {
        try await moveAside(keys, unless: isGood)
    }

    /// Changes the data of several keys, as one operation.
    ///
    /// `change` runs without the lock first. After three conflicts, it runs under it.
    public func update(_ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void) async throws {
        try await update(keys, startingWith: nil, change)
    }

    /// The same, also of the keys that start in this way.
    func update(
        _ keys: Set<String>, startingWith start: String?, _ change: @Sendable (inout [String: Data]) throws -> Void
    ) async throws {
        @Sendable func changes(of old: [String: Data]) throws -> [String: Data?] {
            var new = old
            try change(&new)
            let own = start.map { start in keys.union(old.keys).union(new.keys.filter { $0.hasPrefix(start) }) } ?? keys
            return Dictionary(uniqueKeysWithValues: own.filter { old[$0] != new[$0] }.map { ($0, new[$0]) })
        }
        var old = try await exclusively(keys, startingWith: start) { _ in [:] }
        for _ in 0..<3 {
            let changes = try changes(of: old)
            if changes.isEmpty { return }
            let present = try await exclusively(keys, startingWith: start) { [old] in $0 == old ? changes : [:] }
            if present == old { return }
            old = present
        }
        _ = try await exclusively(keys, startingWith: start, changes)
    }

    /// Reports that somebody has changed the data of a key, including the caller.
    public func changes(of key: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let stop = reportChanges(of: key) { continuation.yield() }
            continuation.onTermination = { _ in stop() }
        }
    }
}

extension Relux {
    /// An error of a storage.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum StorageError: Error, CustomStringConvertible {
        /// The data of a key, or the file that should contain them, are not those that were written. The text says what
        /// is wrong.
        case damaged(_ key: String, String)
        /// A system call has failed: the name of the call, the path, and the error number.
        case system(call: String, path: String, code: Int32)

        /// A sentence that says what has happened.
        public var description: String {
            switch self {
            case .damaged(let key, let reason): "the data of “\(key)” are damaged: \(reason)"
            case .system(let call, let path, let code):
                "“\(call)” has failed for “\(path)”: \(String(cString: strerror(code))) (\(code))"
            }
        }
    }
}

extension Relux {
    /// Which failures written data survive.
    public struct Durability: Sendable, Hashable {
        let synchronizes: Bool

        /// Written data survive the end of the process, however it ends. In a power failure, data that were written
        /// just before it may be lost, but data that were replaced long before it are not left half written.
        public static var kill: Durability { Durability(synchronizes: false) }

        /// Written data also survive a power failure: each write waits until the device has confirmed it, which takes
        /// milliseconds.
        public static var power: Durability { Durability(synchronizes: true) }
    }
}
