extension Relux {
    /// Every action of one type, from the moment the stream was made.
    ///
    /// Make it *before* what may answer it is dispatched: then the answer can't be missed.
    ///
    /// - Ordering: In the total order of the store, without gaps. Actions that the making task had sent before come
    ///   before the stream, those it sends afterwards come with it.
    /// - Isolation: Iterate from any task. It has one consumer: where several tasks iterate, each action goes to one
    ///   of them.
    /// - Cancellation: Cancelling the iterating task ends its iteration; what has not been taken stays.
    /// - Lifetime: It doesn't keep the store alive, and ends with it, after the actions that are there. It is
    ///   unbounded: actions are kept until they are taken, or until the stream and its iterators are released.
    public struct ActionStream<A: Action>: AsyncSequence, Sendable {
        /// An action.
        public typealias Element = A
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let subscription: Subscription<A>

        init(_ subscription: Subscription<A>) {
            self.subscription = subscription
        }

        /// An iterator that takes the next action that no other one took.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription)
        }

        /// Takes one action after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let subscription: Subscription<A>

            /// The next action, once there is one.
            ///
            /// - Parameter actor: Where the caller is isolated.
            /// - Returns: The action, or nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> A? {
                await subscription.buffer.next()
            }
        }
    }

    /// The errors of runs that no caller of `perform` received, from the moment the stream was made.
    ///
    /// Ordering, isolation, cancellation and lifetime are those of an ``ActionStream``. Every access to
    /// ``Store/failures`` makes a stream of its own, which gets every failure.
    public struct FailureStream: AsyncSequence, Sendable {
        /// An error, and the run that threw it.
        public typealias Element = FailureRecord
        /// The sequence doesn't throw: failures are its elements.
        public typealias Failure = Never

        private let subscription: Subscription<FailureRecord>

        init(_ subscription: Subscription<FailureRecord>) {
            self.subscription = subscription
        }

        /// An iterator that takes the next failure that no other one took.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription)
        }

        /// Takes one failure after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let subscription: Subscription<FailureRecord>

            /// The next failure, once there is one.
            ///
            /// - Parameter actor: Where the caller is isolated.
            /// - Returns: The failure, or nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> FailureRecord? {
                await subscription.buffer.next()
            }
        }
    }
}

/// The hold of a stream on its buffer: when the last one goes, the store forgets the buffer.
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

extension Engine {
    /// A stream that begins with the next action that comes in.
    func actionStream<A: Relux.Action>(of type: A.Type) -> Relux.ActionStream<A> {
        let buffer = StreamBuffer<A>()
        post { core in core.subscribe(buffer) }
        return actionStream(from: buffer)
    }

    /// The stream of a buffer that the store fills.
    func actionStream<A: Relux.Action>(from buffer: StreamBuffer<A>) -> Relux.ActionStream<A> {
        Relux.ActionStream(
            Subscription(buffer) { [weak self] in
                self?.post { core in core.unsubscribe(buffer) }
            }
        )
    }

    /// A stream that begins with the next failure.
    func failureStream() -> Relux.FailureStream {
        let buffer = StreamBuffer<Relux.FailureRecord>()
        post { core in
            if core.phase == .open { core.failureStreams.append(buffer) } else { buffer.finish() }
        }
        return Relux.FailureStream(
            Subscription(buffer) { [weak self] in
                self?.post { core in core.failureStreams.removeAll { $0 === buffer } }
            }
        )
    }
}

extension Core {
    func subscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>) {
        guard phase == .open else {
            buffer.finish()
            return
        }
        route(for: A.self).add(buffer)
    }

    func unsubscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>) {
        existingRoute(for: A.self)?.remove(stream: buffer)
        dropIfUnused(routeOf: ObjectIdentifier(A.self))
    }
}
