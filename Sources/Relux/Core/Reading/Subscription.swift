/// Keeps a stream's buffer subscribed. When the last reference is released, the store forgets the buffer.
final class Subscription<Element: Sendable>: Sendable {
    let buffer: StreamBuffer<Element>
    private let cancel: @Sendable () -> Void

    init(_ buffer: StreamBuffer<Element>, cancel: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.cancel = cancel
    }

    deinit {
        cancel()
    }
}

extension Core {
    /// A subscription that starts with the next action that is reduced.
    nonisolated func subscription<A: Relux.Action>(
        to type: A.Type, as origin: Origin, _ buffering: Relux.StreamBuffering = .unbounded
    ) -> Subscription<A> {
        let buffer = StreamBuffer<A>(buffering)
        post { core in core.subscribe(buffer, as: origin) }
        return subscription(of: buffer, as: origin)
    }

    /// A subscription that starts with the next action that is reduced, and shares its buffer with others.
    nonisolated func subscription<A: Relux.Action>(
        to type: A.Type, as origin: Origin, forwardingTo shared: StreamBuffer<any Relux.Action>
    ) -> any Sendable {
        let buffer = StreamBuffer<A>(
            forwarding: .init(element: { shared.append($0) }, end: { shared.finish() })
        )
        post { core in core.subscribe(buffer, as: origin) }
        return subscription(of: buffer, as: origin)
    }

    /// The subscription of a buffer that the store already fills.
    nonisolated func subscription<A: Relux.Action>(
        of buffer: StreamBuffer<A>, as origin: Origin
    ) -> Subscription<A> {
        // The scope alone: the run's handle would keep the core.
        Subscription(buffer) { [weak self, scope = origin.scope] in
            self?.post { core in core.unsubscribe(buffer, as: Origin(in: scope)) }
        }
    }

    /// A subscription that starts with the next failure.
    nonisolated func failureSubscription() -> Subscription<Relux.FailureRecord> {
        let buffer = StreamBuffer<Relux.FailureRecord>()
        post { core in
            if core.phase == .open {
                core.reporter.add(buffer, numbered: core.nextSerial())
            } else {
                buffer.finish()
            }
        }
        return Subscription(buffer) { [weak self] in
            self?.post { core in core.reporter.remove(buffer) }
        }
    }
}
