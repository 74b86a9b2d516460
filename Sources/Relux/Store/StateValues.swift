extension Relux {
    /// The values of a state, or of a selection from states: the current one first, then later ones.
    ///
    /// - Isolation: Iterate from any task. A selection is executed inside the store, so keep it short.
    /// - Ordering: An older value never follows a newer one, and the last value always arrives. A slow reader skips
    ///   values and delays nothing else. A whole state arrives once each time a reducer of the state has run. A
    ///   selection never delivers a value that is equal to the previous one. A selection from several states is made at
    ///   one point of the total order.
    /// - Cancellation: Cancelling the iterating task ends the sequence immediately.
    /// - Lifetime: It doesn't keep the store alive, and ends with it, and through a context with the run; the last
    ///   value may then be skipped. The values of one state end when the module that owned it at the first `next()` is
    ///   unregistered, and those of an instance end with the instance. The last value of what goes is delivered first,
    ///   including what the removing step has changed. A selection over a reader, in contrast, ends only with the store
    ///   or when its closure throws. If a state is missing, it continues when the state appears.
    ///
    /// Iterators are independent of each other. A waiting iterator holds no value, except the last value of a
    /// selection, and that of a state that has been removed.
    public struct StateValues<Value: Sendable>: AsyncSequence, Sendable {
        /// A value of the state or the selection.
        public typealias Element = Value
        /// The sequence doesn't throw.
        public typealias Failure = Never

        private let handle: StoreHandle
        private let query: StateQuery<Value>

        init(_ handle: StoreHandle, _ query: StateQuery<Value>) {
            self.handle = handle
            self.query = query
        }

        /// An iterator that starts with the current value.
        public func makeAsyncIterator() -> Iterator {
            Iterator(handle, query)
        }

        /// Takes one value after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private let iteration: Iteration<Value>

            init(_ handle: StoreHandle, _ query: StateQuery<Value>) {
                iteration = Iteration(handle, query)
            }

            /// The newest value, as soon as there is one that differs from the last.
            ///
            /// - Returns: Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
                let (handle, cursor) = (iteration.handle, iteration.cursor)
                while !Task.isCancelled {
                    switch await handle.core.enter(as: handle.caller, { core, _ in core.pull(cursor) }) {
                    case .value(let value): return value
                    case .end, .missing: return nil
                    case .wait(let signal): _ = await signal.waitUnlessCancelled()
                    }
                }
                return nil
            }
        }
    }
}

/// The shared part of the copies of an iterator. When the last of them is released, the store forgets it.
private final class Iteration<Value: Sendable>: Sendable {
    let handle: Relux.StoreHandle
    let cursor: StateCursor<Value>

    init(_ handle: Relux.StoreHandle, _ query: StateQuery<Value>) {
        self.handle = handle
        cursor = StateCursor(query, for: handle.caller)
    }

    deinit {
        handle.core.post { [cursor] core in core.forget(cursor) }
    }
}
