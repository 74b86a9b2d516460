public import Foundation

/// A place that keeps data under keys.
///
/// Any string is a key, also an empty or a very long one, and one that looks like a path. Strings that are equal in
/// Swift are one key, however they are composed.
///
/// - Isolation: Can be used from anywhere, and by several stores and processes at the same time.
/// - Ordering: Once a call has returned, every later call sees what it has done, in whichever process.
/// - Errors: What a function throws means that nothing was changed. If data were read and can't be trusted, it throws
///   ``StorageError/damaged(_:_:)``. Every other error means that the data may be readable later.
/// - Durability: What has been written when a function returns is there after the end of the process. Whether it is
///   there after a power cut is up to the storage.
public protocol Storage: Sendable {
    /// The data of a key; nil if there are none.
    func read(_ key: String) async throws -> Data?

    /// Replaces the data of a key, all or nothing.
    func write(_ data: Data, to key: String) async throws

    /// Removes the data of a key. It is fine if there are none.
    func remove(_ key: String) async throws

    /// The keys that have data, in no particular order.
    func keys() async throws -> [String]

    /// Replaces the data of a key by what a closure makes of them, as one operation: nobody else, in this process or
    /// another one, changes the data in between.
    ///
    /// - Parameter change: Gets the present data, and returns the new ones; nil removes the key. It may be called again
    ///   with other data if somebody else was faster, so it should do no more than compute. What it throws is passed
    ///   on, and nothing is changed.
    func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws

    /// Reports that others may have changed the data of a key. By default, it ends at once.
    ///
    /// It may report too often, and reports several changes at once. It includes everything after this call.
    func changes(of key: String) -> AsyncStream<Void>

    /// Keeps the data of a key under another name, and leaves the key without data. What was set aside before is kept.
    ///
    /// By default, the data become those of the first free key among `key.aside-1`, `key.aside-2` …
    func setAside(_ key: String) async throws
}

extension Storage {
    /// Reports nothing: nobody else changes the data.
    public func changes(of key: String) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Moves the data to another key.
    public func setAside(_ key: String) async throws {
        guard let data = try await read(key) else { return }
        var isKept = false
        var number = 1
        while !isKept {
            let isFree = Box(false)
            try await update("\(key).aside-\(number)") { present in
                isFree.value = present == nil || present == data
                return present ?? data
            }
            isKept = isFree.value
            number += 1
        }
        try await remove(key)
    }
}

/// What a storage reports about itself.
public enum StorageError: Error, CustomStringConvertible {
    /// The data of a key, or the file that should hold them, are not what was written. The text says what is wrong.
    case damaged(_ key: String, String)
    /// A call of the system has failed: the call, the path, and the error number.
    case system(call: String, path: String, code: Int32)

    /// What has happened.
    public var description: String {
        switch self {
        case .damaged(let key, let reason): "The data of “\(key)” are damaged: \(reason)."
        case .system(let call, let path, let code):
            "“\(call)” has failed for “\(path)”: \(String(cString: strerror(code))) (\(code))."
        }
    }
}

/// How much what a storage has written survives.
public struct Durability: Sendable, Hashable {
    let synchronizes: Bool

    /// The end of the process, however it ends. What was written just before a power cut may be lost, but nothing is
    /// half written that was replaced long before.
    public static var kill: Durability { Durability(synchronizes: false) }

    /// Also a power cut: each write waits until the device has confirmed it, which takes milliseconds.
    public static var power: Durability { Durability(synchronizes: true) }
}
