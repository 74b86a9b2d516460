/// The buffers of the actions that a watcher listens to, filled from the registration of its module on.
///
/// - Isolation: Filled inside the store; claimed by the watcher's task.
final class WatcherInbox: Sendable {
    private struct Kept {
        let buffer: any Sendable
        let discard: @Sendable (Core) -> Void
    }

    private let kept = Lock<[ObjectIdentifier: Kept]>([:])

    /// Begins to keep actions of a type.
    func listen<A: Relux.Action>(to type: A.Type, in core: Core) {
        let buffer = StreamBuffer<A>()
        core.subscribe(buffer)
        let previous = kept.withLock {
            $0.updateValue(Kept(buffer: buffer) { $0.unsubscribe(buffer) }, forKey: ObjectIdentifier(type))
        }
        previous?.discard(core)
    }

    /// Takes the buffer of a type, which only the first stream of it gets.
    func claim<A: Relux.Action>(_ type: A.Type) -> StreamBuffer<A>? {
        kept.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) }?.buffer as? StreamBuffer<A>
    }

    /// Stops keeping what nobody claimed.
    func discard(in core: Core) {
        let unclaimed = kept.withLock { kept in
            defer { kept = [:] }
            return Array(kept.values)
        }
        for one in unclaimed { one.discard(core) }
    }
}
