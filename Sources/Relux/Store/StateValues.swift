extension Relux {
    /// The values of a state, or of a selection from states: the present one first, then later ones.
    ///
    /// - Isolation: Iterate from any task; a selection runs inside the store, so keep it short.
    /// - Ordering: Never an older value after a newer one, and always the last one. A slow reader skips what came in
    ///   between and makes nobody wait. Whole states come once per touch; a selection never gives a value equal to the
    ///   one before. A selection of several states is read at one point of the total order.
    /// - Cancellation: Cancelling the iterating task ends the sequence at once.
    /// - Lifetime: It doesn't keep the store alive, and ends with it; then the last value may be skipped. The values of
    ///   one state end when the module is unregistered that owned it at the first `next()`. A selection over a reader
    ///   ends only if its closure throws, and goes on when a missing state appears.
    ///
    /// Each iterator is independent of the others. While it waits it holds no value, except the last one of a
    /// selection.
    public struct StateValues<Value: Sendable>: AsyncSequence, Sendable {
        /// A value of the state or the selection.
        public typealias Element = Value
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let engine: Engine
        private let query: any StateQuery<Value>

        init(_ engine: Engine, _ query: some StateQuery<Value>) {
            self.engine = engine
            self.query = query
        }

        /// An iterator that begins with the present value.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(engine, query)
        }

        /// Takes one value after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private let engine: Engine
            private let query: any StateQuery<Value>
            private var cursor = StateCursor<Value>()
            private var isAtEnd = false

            init(_ engine: Engine, _ query: any StateQuery<Value>) {
                self.engine = engine
                self.query = query
            }

            /// The newest value, once there is another one than the last.
            ///
            /// - Parameter actor: Where the caller is isolated.
            /// - Returns: The value, or nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
                while !isAtEnd, !Task.isCancelled {
                    let pulled = await engine.pull(query, cursor)
                    cursor = pulled.cursor
                    switch pulled.pull {
                    case .value(let value):
                        return value
                    case .end:
                        isAtEnd = true
                    case .wait(let awaken):
                        if await !awaken.waitUnlessCancelled() {
                            let reads = cursor.reads ?? []
                            engine.post { core in core.forget(awaken, reads: reads) }
                        }
                    }
                }
                return nil
            }
        }
    }
}

extension Engine {
    fileprivate nonisolated(nonsending) func pull<Value>(
        _ query: any StateQuery<Value>, _ cursor: StateCursor<Value>
    ) async -> (pull: StatePull<Value>, cursor: StateCursor<Value>) {
        await enter { core in
            var cursor = cursor
            let pull = query.pull(from: core, &cursor)
            return (pull, cursor)
        }
    }
}
