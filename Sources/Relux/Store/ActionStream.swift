extension Relux {
    /// All actions of one type, from the creation of the stream on.
    ///
    /// Create it *before* you dispatch anything that may answer it: the answer can then not be missed.
    ///
    /// - Ordering: In the total order of the store, without gaps. Actions that the creating task had sent before
    ///   precede the stream; those that it sends later are part of it.
    /// - Isolation: Iterate from any task. The stream has one consumer: if several tasks iterate, each action goes to
    ///   one of them.
    /// - Cancellation: Cancelling the iterating task ends its iteration. Buffered actions stay.
    /// - Lifetime: It doesn't keep the store alive, and ends with it, after the buffered actions. Unless another
    ///   ``StreamBuffering`` was asked for, the buffer is unbounded: actions are kept until they are taken, or until
    ///   the stream and its iterators are released.
    public struct ActionStream<A: Action>: AsyncSequence, Sendable {
        /// An action.
        public typealias Element = A
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let subscription: Subscription<A>

        init(_ subscription: Subscription<A>) {
            self.subscription = subscription
        }

        /// How many actions the stream has dropped because its buffer was full. 0 if it is unbounded.
        public var droppedCount: Int { subscription.buffer.droppedCount }

        /// An iterator that takes the next action that no other iterator has taken.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription)
        }

        /// Takes one action after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription<A>

            /// The next action, as soon as there is one.
            ///
            /// - Returns: Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> A? {
                await subscription.buffer.next()
            }
        }
    }
}
