/// The subscriptions of a watcher to the actions that it listens to, which start with the registration of its module.
///
/// - Isolation: Filled inside the store, claimed by the watcher's task.
final class WatcherInbox: Sendable {
    private let unclaimed = Lock<[ObjectIdentifier: any Sendable]>([:])

    /// Starts to keep the actions of a type.
    func listen<A: Relux.Action>(to type: A.Type, as origin: Origin, in core: isolated Core) {
        let buffer = StreamBuffer<A>()
        core.subscribe(buffer, as: origin)
        let subscription = core.subscription(of: buffer, as: origin)
        // The previous one of a type that is listed twice is released outside the lock.
        let previous = unclaimed.withLock { $0.updateValue(subscription, forKey: ObjectIdentifier(type)) }
        withExtendedLifetime(previous) {}
    }

    /// Takes the subscription of a type. Only the first stream of the type gets it.
    func claim<A: Relux.Action>(_ type: A.Type) -> Subscription<A>? {
        unclaimed.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) } as? Subscription<A>
    }

    /// Cancels the subscriptions that were not claimed.
    func discard() {
        let discarded = unclaimed.withLock { unclaimed in
            defer { unclaimed = [:] }
            return unclaimed
        }
        // Released outside the lock, because each of them posts to the store.
        withExtendedLifetime(discarded) {}
    }
}
