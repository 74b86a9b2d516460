import Foundation
import Relux

@testable import ReluxPersistence

/// The files of the system, some of whose calls fail.
final class FaultyFiles: Sendable {
    struct Faults {
        /// How many bytes can still be written. The write that needs more writes as many as it can.
        var bytesLeft: Int?
        /// The most bytes that one call writes.
        var longestWrite = Int.max
        /// The calls that fail.
        var failing: Set<String> = []
        /// How many calls that change something still work, before the process is killed.
        var callsLeft = Int.max
        /// Whether nothing works any more after the first failure, as when the process is killed.
        var isKilledByFailure = false
        var isKilled = false
    }

    let faults: Lock<Faults>

    init(_ faults: Faults = Faults()) {
        self.faults = Lock(faults)
    }

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    /// The files that a storage uses.
    func system(_ durability: Relux.Durability) -> FileSystem {
        FileSystem(
            durability: durability,
            before: { call, path in
                if let code = self.failure(of: call) {
                    throw Relux.StorageError.system(call: call, path: path, code: code)
                }
            },
            longestWrite: { count in
                self.faults.withLock { faults in
                    let count = min(count, faults.longestWrite, faults.bytesLeft ?? .max)
                    if let left = faults.bytesLeft { faults.bytesLeft = left - count }
                    return count
                }
            })
    }

    /// Why a call fails; nil if it doesn't.
    private func failure(of call: String) -> Int32? {
        faults.withLock { faults in
            if !["stat", "fstat", "pread", "readdir"].contains(call) {
                if faults.callsLeft == 0 { faults.isKilled = true }
                faults.callsLeft -= 1
            }
            let isFull = call == "pwrite" && faults.bytesLeft == 0
            guard !faults.isKilled else { return EACCES }
            guard isFull || faults.failing.contains(call) else { return nil }
            faults.isKilled = faults.isKilledByFailure
            return isFull ? ENOSPC : EACCES
        }
    }
}

/// A folder that exists as long as this does.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "relux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files in it, without locks.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).filter { !$0.hasSuffix(".lock") }
            .sorted()
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

extension Data {
    init(_ text: String) { self = Data(text.utf8) }
}
