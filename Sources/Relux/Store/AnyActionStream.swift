extension Relux {
    /// All actions of several types, from the creation of the stream on, in the order of the store.
    ///
    /// Ordering, isolation, cancellation, and lifetime are those of an ``ActionStream``. All types share one buffer.
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
    public struct AnyActionStream: AsyncSequence, Sendable {
        /// An action of one of the types.
        public typealias Element = any Action
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let subscription: Subscription<any Action>

        init(_ subscription: Subscription<any Action>) {
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
            fileprivate let subscription: Subscription<any Action>

            /// The next action, as soon as there is one.
            ///
            /// - Returns: Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> (any Action)? {
                await subscription.buffer.next()
            }
        }
    }
}
