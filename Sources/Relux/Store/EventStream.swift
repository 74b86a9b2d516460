extension Relux {
    /// All events of one kind in a store, from the creation of the stream on: actions or failures.
    ///
    /// To wait for the answer to an action, create the stream *before* you dispatch the action. The answer can't be
    /// missed then.
    ///
    /// ```swift
    /// for await action in context.actionStream(ofAny: Session.State.Action.self, Notes.State.Action.self) {
    ///     switch action {
    ///     case Session.State.Action.signedOut: return
    ///     case let action as Notes.State.Action: await service.note(action)
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// - Ordering: In the total order of the store, without gaps. Actions that the creating task had sent before
    ///   precede the stream; those that it sends later are part of it.
    /// - Isolation: Iterate from any task. The stream has one consumer: if several tasks iterate, each element goes to
    ///   one of them.
    /// - Cancellation: Cancelling the iterating task ends its iteration. Buffered elements stay.
    /// - Lifetime: It doesn't keep the store alive, and ends with it, after the buffered elements. Unless another
    ///   ``StreamBuffering`` was asked for, the buffer is unbounded: elements are kept until they are taken, or until
    ///   the stream and its iterators are released.
    public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
        /// The sequence doesn't throw: failures are elements.
        public typealias Failure = Never

        private let subscription: Subscription<Element>

        init(_ subscription: Subscription<Element>) {
            self.subscription = subscription
        }

        /// How many elements the stream has dropped because its buffer was full. 0 if it is unbounded.
        public var droppedCount: Int { subscription.buffer.droppedCount }

        /// An iterator that takes the next element that no other iterator has taken.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription)
        }

        /// Takes one element after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription<Element>

            /// The next element, as soon as there is one.
            ///
            /// - Returns: Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
                await subscription.buffer.next()
            }
        }
    }

    /// All actions of one type.
    public typealias ActionStream<A: Action> = EventStream<A>

    /// All actions of several types, in the order of the store. All types share one buffer.
    public typealias AnyActionStream = EventStream<any Action>

    /// The errors of runs that neither a caller of `perform` nor the saga's `actionOnFailure` received.
    ///
    /// Each access to ``Store/failures`` creates a stream of its own, which gets every failure.
    public typealias FailureStream = EventStream<FailureRecord>
}

/// Keeps a stream's buffer subscribed. When the last reference is released, the store forgets the buffer.
final class Subscription<Element: Sendable>: Sendable {
    let buffer: StreamBuffer<Element>
    private weak let core: Core?

    init(_ buffer: StreamBuffer<Element>, in core: Core) {
        self.buffer = buffer
        self.core = core
    }

    deinit {
        core?.post { [buffer] core in
            core.dispatch.streams.unsubscribe(buffer)
            core.reporter.remove(buffer)
        }
    }
}
