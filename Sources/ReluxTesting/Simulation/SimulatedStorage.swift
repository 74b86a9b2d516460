public import Foundation
import Relux
public import ReluxPersistence

/// A storage of a simulated world. Its calls take time and can fail, and a crash loses data that were not synchronised.
///
/// A write is appended to a log, where readers see it immediately. It is synchronised a random time later, and only
/// then does the call return. ``Simulation/World/crash(_:)`` truncates the log somewhere after the synchronised part:
/// later writes may be lost, and the last one that is left may be torn. A reader treats a torn write as the end of the
/// log.
///
/// - Isolation: Can be used from anywhere. Its delays and failures are part of the world's schedule.
/// - Errors: ``Fault``, at random with the given probability, and in calls that were in progress at a crash. A call
///   that throws has changed nothing. The exception is a write that was in progress at a crash, which may have been
///   made.
public final class SimulatedStorage: LockingStorage {
    /// Why a call has failed.
    public enum Fault: Error, Hashable {
        /// A random failure.
        case injected
        /// A store was killed: the caller's own, or another one while the call was in progress.
        case crashed
    }

    private struct Medium {
        var log = SimulatedStorage.format.line
        /// How much of the log survives a crash.
        var synchronized = SimulatedStorage.format.line.count
        var crashes = 0
        /// The stores that were killed, whose tasks may not have noticed yet.
        var dead: Set<UInt64> = []
    }

    private static let format = LogFormat(salt: 0)

    /// The contents for readers.
    private let view = Relux.MemoryStorage()
    private let medium = Lock(Medium())
    private let latency: ClosedRange<Duration>
    private let failure: Double
    private let world: Simulation.World

    init(_ world: Simulation.World, latency: ClosedRange<Duration>, failure: Double) {
        (self.world, self.latency, self.failure) = (world, latency, failure)
    }

    /// The contents for readers, by key.
    public var data: [String: Data] { view.data }

    /// The data of a key; nil if there are none.
    public func read(_ key: String) async throws -> Data? {
        try await call { _ in view.data[key] }
    }

    /// The keys that have data, in order.
    public func keys() async throws -> [String] {
        try await call { _ in view.data.keys.sorted() }
    }

    package func exclusively(
        _ keys: Set<String>, startingWith start: String?, _ change: StorageChange
    ) async throws -> [String: Data] {
        let (present, end, crashes) = try await call { crashes in
            var end = 0
            let present = try view.exclusively(keys, startingWith: start) { present in
                let changes = try change(present)
                if changes.isEmpty { return [:] }
                end = medium.withLock { medium in
                    medium.log += Self.format.record(changes, at: medium.log.count)
                    return medium.log.count
                }
                return changes
            }
            return (present, end, crashes)
        }
        guard end > 0 else { return present }
        try await world.latency(latency, heedsCancellation: false)
        let isSynchronized = medium.withLock { medium in
            guard medium.crashes == crashes else { return false }
            medium.synchronized = max(medium.synchronized, end)
            return true
        }
        if !isSynchronized { throw Fault.crashed }
        return present
    }

    package func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        view.reportChanges(of: key, report)
    }

    /// Does something after a latency, unless it fails.
    ///
    /// - Parameter body: Gets the number of crashes so far.
    private func call<Output>(_ body: (_ crashes: Int) throws -> Output) async throws -> Output {
        let store = Relux.Store.currentNumber
        let (crashes, isDead) = medium.withLock { ($0.crashes, $0.dead.contains(store)) }
        if isDead { throw Fault.crashed }
        try await world.latency(latency, heedsCancellation: false)
        guard medium.withLock({ $0.crashes }) == crashes else { throw Fault.crashed }
        if failure > 0, world.fails(failure) { throw Fault.injected }
        return try body(crashes)
    }

    /// Drops a random part of the data that were not synchronised.
    ///
    /// - Parameter store: The number of the killed store, whose tasks change nothing any more.
    /// - Returns: How many bytes are lost, and out of how many.
    func crash(of store: UInt64) -> (lost: Int, unsynchronized: Int) {
        let unsynchronized = medium.withLock { $0.log.count - $0.synchronized }
        let lost = unsynchronized - world.random(in: 0...unsynchronized)
        let log = medium.withLock { medium in
            medium.crashes += 1
            medium.dead.insert(store)
            medium.log.removeLast(lost)
            let scan = Self.format.scan(medium.log, from: Self.format.line.count)
            medium.log = medium.log.prefix(scan.end)
            medium.synchronized = scan.end
            return medium.log
        }
        var data: [String: Data] = [:]
        for entry in Self.format.scan(log, from: Self.format.line.count).entries {
            data[entry.key] = entry.kind == .data ? Data(log[entry.data]) : nil
        }
        view.replaceAll(with: data)
        return (lost, unsynchronized)
    }
}

/// A storage that its world doesn't keep alive, because it keeps the world alive.
struct WeakStorage {
    weak var storage: SimulatedStorage?
}

extension Simulation.World {
    /// Creates a storage whose calls take a random time, and which loses data in a crash that were not synchronised.
    ///
    /// ```swift
    /// let storage = world.storage()
    /// let store = try await world.store { Outbox.Module(storage: storage) }
    /// world.task { await world.crash(store) }
    /// ```
    ///
    /// - Parameters:
    ///   - latency: How long a call takes until it has its effect. A write takes another such time until it is
    ///     synchronised.
    ///   - failure: The probability with which a call fails, from 0 (never) to 1 (always).
    public func storage(
        latency: ClosedRange<Duration> = .zero ... .milliseconds(5), failure: Double = 0
    ) -> SimulatedStorage {
        let storage = SimulatedStorage(self, latency: latency, failure: failure)
        contents.withLock { $0.storages.append(WeakStorage(storage: storage)) }
        return storage
    }

    /// Kills a store, as if its process or the whole device had died at this point of the schedule.
    ///
    /// Its runs are cancelled, and nothing more is saved. Cancelled runs may still do something outside the store, such
    /// as finish a request; this stands for a request that was already on its way to the server. All storages of the
    /// world lose a random part of the data that were not synchronised. A new ``store(_:fileID:line:modules:)`` starts
    /// with what is left.
    ///
    /// The other stores of the world live on, although a storage that they use may have lost what they have written. No
    /// program has to expect that: it keeps its data when another process dies, and dies itself when the device does.
    /// If several stores use a storage, crash all of them, one after another, before you check anything.
    ///
    /// - Parameter store: A store of this world, which can't be used any more.
    public nonisolated(nonsending) func crash(_ store: Relux.Store) async {
        let (number, storages) = contents.withLock { contents in
            let number = contents.stores.first { $0.store === store }?.number
            contents.stores.removeAll { $0.store === store }
            return (number, contents.storages.compactMap(\.storage))
        }
        await store.kill()
        let losses = storages.map { $0.crash(of: store.number) }
        let lost = losses.map { "\($0.lost) of \($0.unsynchronized)" }.joined(separator: ", ")
        journal.note("crash of store \(number ?? 0)" + (lost.isEmpty ? "" : ", which loses \(lost) bytes"))
    }
}
