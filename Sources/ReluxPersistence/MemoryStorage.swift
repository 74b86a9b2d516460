public import Foundation
import Relux

/// A storage in memory, for tests and previews. Stores that share it behave as if they shared a file.
///
/// - Durability: The data are lost when it is released.
public final class MemoryStorage: Storage, ChangeReporting {
    private struct Contents {
        var data: [String: Data]
        var watchers: [UInt64: (key: String, report: @Sendable () -> Void)] = [:]
        var lastWatcher: UInt64 = 0
    }

    private let contents: Lock<Contents>

    /// Creates a storage.
    ///
    /// - Parameter data: What it holds, by key.
    public init(_ data: [String: Data] = [:]) {
        contents = Lock(Contents(data: data))
    }

    /// What it holds, by key.
    public var data: [String: Data] { contents.withLock { $0.data } }

    /// The data of a key; nil if there are none.
    public func read(_ key: String) async throws -> Data? { contents.withLock { $0.data[key] } }

    /// Replaces the data of a key.
    public func write(_ data: Data, to key: String) async throws { set(data, at: key) }

    /// Removes the data of a key.
    public func remove(_ key: String) async throws { set(nil, at: key) }

    /// The keys that have data.
    public func keys() async throws -> [String] { contents.withLock { Array($0.data.keys) } }

    /// Replaces the data of a key by what a closure makes of them.
    public func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws {
        try exchange(key, change, read: { contents.withLock { $0.data[key] } }) { old, new in
            set(new, at: key) { $0 == old }
        }
    }

    package func reportChanges(
        of key: String, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = contents.withLock { contents in
            contents.lastWatcher += 1
            contents.watchers[contents.lastWatcher] = (key, report)
            return contents.lastWatcher
        }
        return { [weak self] in _ = self?.contents.withLock { $0.watchers.removeValue(forKey: number) } }
    }

    /// Replaces everything, without a report.
    package func replaceAll(with data: [String: Data]) { contents.withLock { $0.data = data } }

    /// - Parameter isRight: Whether the present data are those to be replaced.
    /// - Returns: Whether they were.
    @discardableResult
    package func set(_ data: Data?, at key: String, if isRight: (Data?) -> Bool = { _ in true }) -> Bool {
        let reports: [@Sendable () -> Void]? = contents.withLock { contents in
            guard isRight(contents.data[key]) else { return nil }
            if contents.data[key] == data { return [] }
            contents.data[key] = data
            // The watchers of a key also watch the keys below it.
            return contents.watchers.values.filter { $0.key == key || key.hasPrefix($0.key + "/") }.map(\.report)
        }
        for report in reports ?? [] { report() }
        return reports != nil
    }
}

/// Replaces data by the result of a closure, and repeats this until nobody else has changed them in between.
///
/// - Parameters:
///   - read: Reads the present data.
///   - replace: Replaces the data if they are still the ones read, and returns whether they were.
func exchange(
    _ key: String, _ change: (Data?) throws -> Data?, read: () throws -> Data?,
    replace: (_ old: Data?, _ new: Data?) throws -> Bool
) throws {
    while true {
        let old = try read()
        let new = try change(old)
        if new == old { return }
        if try replace(old, new) { return }
    }
}

/// A value that a closure hands out.
final class Box<Value: Sendable>: Sendable {
    private let contents: Lock<Value>

    init(_ value: Value) {
        contents = Lock(value)
    }

    var value: Value {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}
