public import Foundation

/// A place that keeps data under keys.
///
/// Any string can be a key, even an empty or very long one, or one that looks like a path. Strings that are equal in
/// Swift are the same key, whatever their Unicode normalization.
///
/// - Isolation: Can be used from anywhere, and by several stores and processes at the same time.
/// - Ordering: Once a call has returned, every later call sees its effect, in every process.
/// - Errors: A function that throws has changed nothing. If data were read but can't be trusted, it throws
///   ``StorageError/damaged(_:_:)``. Any other error means that the data may be readable later.
/// - Durability: Once a function has returned, the written data survive the end of the process. Whether they survive a
///   power failure depends on the storage.
public protocol Storage: Sendable {
    /// The data of a key; nil if there are none.
    func read(_ key: String) async throws -> Data?

    /// Replaces the data of a key, all or nothing.
    func write(_ data: Data, to key: String) async throws

    /// Removes the data of a key. Does nothing if there are none.
    func remove(_ key: String) async throws

    /// The keys that have data, in no particular order.
    func keys() async throws -> [String]

    /// Replaces the data of a key by the result of a closure, as one atomic operation: nobody else, in this process or
    /// another one, can change the data in between.
    ///
    /// - Parameter change: Gets the present data, and returns the new ones; nil removes the key. It may be called again
    ///   with other data if somebody else was faster, so it should only compute. If it throws, the error is passed on,
    ///   and nothing is changed.
    func update(_ key: String, _ change: @Sendable (Data?) throws -> Data?) async throws

    /// Reports that others may have changed the data of a key. By default, it ends at once.
    ///
    /// The stream may report more often than necessary, and may combine several changes into one report. It misses no
    /// change after this call.
    func changes(of key: String) -> AsyncStream<Void>

    /// Moves the data of a key to another name, and leaves the key without data. Data that were set aside earlier are
    /// kept.
    ///
    /// By default, the data are moved to the first free key among `key.aside-1`, `key.aside-2` …
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

/// An error of a storage.
public enum StorageError: Error, CustomStringConvertible {
    /// The data of a key, or the file that should contain them, are not those that were written. The text says what is
    /// wrong.
    case damaged(_ key: String, String)
    /// A system call has failed: the name of the call, the path, and the error number.
    case system(call: String, path: String, code: Int32)

    /// What has happened.
    public var description: String {
        switch self {
        case .damaged(let key, let reason): "the data of “\(key)” are damaged: \(reason)"
        case .system(let call, let path, let code):
            "“\(call)” has failed for “\(path)”: \(String(cString: strerror(code))) (\(code))"
        }
    }
}

/// Which failures written data survive.
public struct Durability: Sendable, Hashable {
    let synchronizes: Bool

    /// Written data survive the end of the process, however it ends. In a power failure, data that were written just
    /// before it may be lost, but data that were replaced long before it are not left half written.
    public static var kill: Durability { Durability(synchronizes: false) }

    /// Written data also survive a power failure: each write waits until the device has confirmed it, which takes
    /// milliseconds.
    public static var power: Durability { Durability(synchronizes: true) }
}
