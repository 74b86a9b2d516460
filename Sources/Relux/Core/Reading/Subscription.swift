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
    nonisolated func subscription<A: Relux.Action>(to type: A.Type) -> Subscription<A> {
        let buffer = StreamBuffer<A>()
        post { core in core.subscribe(buffer) }
        return subscription(of: buffer)
    }

    /// The subscription of a buffer that the store already fills.
    nonisolated func subscription<A: Relux.Action>(of buffer: StreamBuffer<A>) -> Subscription<A> {
        Subscription(buffer) { [weak self] in
            self?.post { core in core.unsubscribe(buffer) }
        }
    }

    /// A subscription that starts with the next failure.
    nonisolated func failureSubscription() -> Subscription<Relux.FailureRecord> {
        let buffer = StreamBuffer<Relux.FailureRecord>()
        post { core in
            if core.phase == .open { core.reporter.add(buffer) } else { buffer.finish() }
        }
        return Subscription(buffer) { [weak self] in
            self?.post { core in core.reporter.remove(buffer) }
        }
    }
}
