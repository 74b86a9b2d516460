extension Relux {
    /// The values of a state, or of a selection from states: the current one first, then later ones.
    ///
    /// - Isolation: Iterate from any task. A selection is executed inside the store, so keep it short.
    /// - Ordering: Never an older value after a newer one, and always the last one. A slow reader skips values and
    ///   makes nothing else wait. Whole states arrive once for each touch. A selection never delivers a value that is
    ///   equal to the previous one. A selection from several states is made at one point of the total order.
    /// - Cancellation: Cancelling the iterating task ends the sequence immediately.
    /// - Lifetime: It doesn't keep the store alive, and ends with it; the last value may then be skipped. The values of
    ///   one state end when the module is unregistered that owned it at the first `next()`. A selection over a reader
    ///   ends only when its closure throws, and continues when a missing state appears.
    ///
    /// Iterators are independent of each other. A waiting iterator holds no value, except the last one of a selection.
    public struct StateValues<Value: Sendable>: AsyncSequence, Sendable {
        /// A value of the state or the selection.
        public typealias Element = Value
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let handle: StoreHandle
        private let query: any StateQuery<Value>

        init(_ handle: StoreHandle, _ query: some StateQuery<Value>) {
            self.handle = handle
            self.query = query
        }

        /// An iterator that starts with the current value.
        public func makeAsyncIterator() -> Iterator {
            Iterator(handle, query)
        }

        /// Takes one value after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private let handle: StoreHandle
            private let query: any StateQuery<Value>
            private let cursor = StateCursor<Value>()
            private var isAtEnd = false

            init(_ handle: StoreHandle, _ query: any StateQuery<Value>) {
                self.handle = handle
                self.query = query
            }

            // inline(never): this would otherwise be copied to each loop in the library.
            /// The newest value, as soon as there is one that differs from the last.
            ///
            /// - Returns: Nil at the end.
            @inline(never)
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
                while !isAtEnd, !Task.isCancelled {
                    switch await handle.pull(query, cursor) {
                    case .value(let value):
                        return value
                    case .end:
                        isAtEnd = true
                    case .wait(let signal, let reads):
                        if await !signal.waitUnlessCancelled() {
                            let origin = Origin(in: handle.scope)
                            handle.core.post { core in core.forget(signal, reads: reads, of: origin) }
                        }
                    }
                }
                return nil
            }
        }
    }
}

extension Relux.StoreHandle {
    fileprivate nonisolated(nonsending) func pull<Value>(
        _ query: any StateQuery<Value>, _ cursor: StateCursor<Value>
    ) async -> StatePull<Value> {
        await core.enter(as: origin) { core, origin in
            // A sequence that has begun ends with its instance, and without a report.
            if cursor.reads != nil, case .missing = core.place(of: origin) { return .end }
            guard let scope = core.scope(of: origin, at: nil) else { return .end }
            return query.pull(from: core, in: scope, cursor)
        }
    }
}
