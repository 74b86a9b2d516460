/// The actions that a watcher listens to, kept from the registration of its module until a stream claims them.
///
/// A stream of several types gets those that nobody has claimed before it, in the order of the store.
///
/// - Isolation: Filled inside the store, claimed by the watcher's task.
final class WatcherInbox: Sendable {
    private struct Kept {
        /// The position among all kept actions.
        let number: UInt64
        let action: any Relux.Action
    }

    /// What is known about a type that the watcher listens to.
    private struct Channel {
        /// Keeps the store delivering, until a stream takes it over.
        var subscription: (any Sendable)?
        var kept = Queue<Kept>()
        /// The buffer of the stream that has claimed the type.
        var claimant: (any AnyStreamBuffer)?
    }

    private struct Contents {
        var channels: [ObjectIdentifier: Channel] = [:]
        var lastNumber: UInt64 = 0
        var arrival: Signal?
        var isFinished = false
    }

    private let contents = Lock(Contents())

    /// Starts to keep the actions of a type.
    func listen<A: Relux.Action>(to type: A.Type, as origin: Origin, in core: isolated Core) {
        let key = ObjectIdentifier(type)
        guard contents.withLock({ $0.channels[key] == nil }) else { return }
        let buffer = StreamBuffer<A>(
            forwarding: .init(
                element: { [weak self] action in self?.take(action) }, end: { [weak self] in self?.finish() }
            )
        )
        core.subscribe(buffer, as: origin)
        contents.withLock { $0.channels[key] = Channel(subscription: core.subscription(of: buffer, as: origin)) }
    }

    /// Takes over all actions of a type. Only the first stream of the type gets them.
    func claim<A: Relux.Action>(_ type: A.Type, _ buffering: Relux.StreamBuffering) -> Subscription<A>? {
        let buffer = StreamBuffer<A>(buffering)
        let subscription = claim([ObjectIdentifier(type)], for: buffer) { action in
            if let action = action as? A { buffer.append(action) }
        }.values.first
        guard let subscription else { return nil }
        return Subscription(buffer) { withExtendedLifetime((subscription, self)) {} }
    }

    /// Takes over those of the types that nobody has claimed.
    ///
    /// - Returns: What keeps the store delivering.
    func claim(
        any types: [any Relux.Action.Type], for buffer: StreamBuffer<any Relux.Action>
    ) -> [ObjectIdentifier: any Sendable] {
        claim(types.map { ObjectIdentifier($0) }, for: buffer) { buffer.append($0) }
    }

    private func claim(
        _ keys: [ObjectIdentifier], for buffer: any AnyStreamBuffer, _ append: (any Relux.Action) -> Void
    ) -> [ObjectIdentifier: any Sendable] {
        contents.withLock { contents in
            var subscriptions: [ObjectIdentifier: any Sendable] = [:]
            var kept: [Kept] = []
            for key in keys {
                guard let subscription = contents.channels[key]?.subscription else { continue }
                subscriptions[key] = subscription
                kept += contents.channels[key]?.kept.elements ?? []
                contents.channels[key] = Channel(claimant: buffer)
            }
            // Inside the lock, so that what arrives meanwhile comes after it. Nobody waits for the buffer yet.
            for one in kept.ascending(by: { $0.number }) { append(one.action) }
            if contents.isFinished, !subscriptions.isEmpty { buffer.finish() }
            return subscriptions
        }
    }

    /// Takes the next action of a type, unless a stream has claimed the type, and waits for it if there is none.
    ///
    /// - Returns: Nil at the end, and when the task is cancelled.
    nonisolated(nonsending) func next<A: Relux.Action>(_ type: A.Type) async -> A? {
        while !Task.isCancelled {
            let (action, arrival): (A?, Signal?) = contents.withLock { contents in
                let key = ObjectIdentifier(type)
                if let kept = contents.channels[key]?.kept.popFirst() { return (kept.action as? A, nil) }
                guard !contents.isFinished, contents.channels[key]?.subscription != nil else { return (nil, nil) }
                let arrival = contents.arrival ?? Signal()
                contents.arrival = arrival
                return (nil, arrival)
            }
            guard let arrival else { return action }
            guard await arrival.waitUnlessCancelled() else { return nil }
        }
        return nil
    }

    /// Whether the actions of a type are kept here because no stream has claimed them.
    func keeps(_ type: any Relux.Action.Type) -> Bool {
        contents.withLock { $0.channels[ObjectIdentifier(type)]?.subscription != nil }
    }

    private func take<A: Relux.Action>(_ action: A) {
        let (claimant, arrival): ((any AnyStreamBuffer)?, Signal?) = contents.withLock { contents in
            let key = ObjectIdentifier(A.self)
            if let claimant = contents.channels[key]?.claimant { return (claimant, nil) }
            contents.lastNumber += 1
            contents.channels[key]?.kept.append(Kept(number: contents.lastNumber, action: action))
            defer { contents.arrival = nil }
            return (nil, contents.arrival)
        }
        switch claimant {
        case let buffer as StreamBuffer<A>: buffer.append(action)
        case let buffer as StreamBuffer<any Relux.Action>: buffer.append(action)
        default: arrival?.fire()
        }
    }

    private func finish() {
        let (claimants, arrival) = contents.withLock { contents in
            contents.isFinished = true
            defer { contents.arrival = nil }
            return (contents.channels.values.compactMap(\.claimant), contents.arrival)
        }
        for claimant in claimants { claimant.finish() }
        arrival?.fire()
    }

    /// Cancels what was not claimed, and ends the waits for it.
    func discard() {
        let (discarded, arrival) = contents.withLock { contents in
            let discarded = contents.channels.values.filter { $0.subscription != nil }
            contents.channels = contents.channels.filter { $0.value.subscription == nil }
            defer { contents.arrival = nil }
            return (discarded, contents.arrival)
        }
        arrival?.fire()
        // Released outside the lock, because each of them posts to the store.
        withExtendedLifetime(discarded) {}
    }
}
