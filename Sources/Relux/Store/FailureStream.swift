extension Relux {
    /// The errors of runs that no caller of `perform` received, from the creation of the stream on.
    ///
    /// Ordering, isolation, cancellation, and lifetime are those of an ``ActionStream``. Each access to
    /// ``Store/failures`` creates a stream of its own, which gets every failure.
    public struct FailureStream: AsyncSequence, Sendable {
        /// An error, and the run that threw it.
        public typealias Element = FailureRecord
        /// The sequence doesn't throw: failures are its elements.
        public typealias Failure = Never

        private let subscription: Subscription<FailureRecord>

        init(_ subscription: Subscription<FailureRecord>) {
            self.subscription = subscription
        }

        /// An iterator that takes the next failure that no other iterator has taken.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription: subscription)
        }

        /// Takes one failure after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let subscription: Subscription<FailureRecord>

            /// The next failure, as soon as there is one.
            ///
            /// - Returns: Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> FailureRecord? {
                await subscription.buffer.next()
            }
        }
    }
}
