public import Relux

extension Relux {
    /// One attempt to get an answer.
    ///
    /// Added actions are reduced in the step of the answer. If the attempt fails, or is cancelled because something has
    /// outdated it, they aren't. If something outdates it in the very moment in which its answer arrives, the answer is
    /// not stored, but the actions may still be reduced.
    public final class QueryRequest: Sendable {
        /// The access of the request to the store, for a fetch that needs states or the clock.
        public let context: SagaContext
        let start: QueryStart
        private let added = Lock<[any Action]>([])

        init(_ context: SagaContext, _ start: QueryStart) {
            self.context = context
            self.start = start
        }

        /// Adds an action to the step of the answer, for what the answer means to other states.
        public func add(_ action: any Action) { added.withLock { $0.append(action) } }

        /// Adds values that the answer has for another query, such as the rows of a list.
        ///
        /// They replace nothing that was written, or asked for, since the request began. They make nothing fresh, so
        /// a use of theirs asks for the whole value, unless a fresh one is there. An answer to a request of the key
        /// itself replaces them if it was asked for later; otherwise, the newest of them are combined with it. If they
        /// are a list of a ``PagedQuery``, no page of the list before is added to them.
        ///
        /// - Parameters:
        ///   - query: A query that ``Query/provides`` lists. Values of others never replace what was once written,
        ///     and are lost after a reset.
        ///   - values: The values by key. ``Query/merge(_:into:)`` combines them with what is there.
        public func provide<Q: Query>(_ query: Q.Type, _ values: some Sequence<(key: Q.Key, value: Q.Value)>) {
            add(Provide<Q>(values.map { .init(id: $0.key, value: $0.value) }, since: start))
        }

        var actions: [any Action] { added.withLock { $0 } }
    }

    /// The time at which a request began, for each query that its answer provides.
    struct QueryStart: Sendable, Equatable {
        private var times: [ObjectIdentifier: Int] = [:]

        func time<Q: Query>(of query: Q.Type) -> Int { times[ObjectIdentifier(query)] ?? 0 }

        mutating func note<Q: Query>(_ query: Q.Type, in reader: borrowing StateReader) {
            times[ObjectIdentifier(query)] = reader[QueryState<Q>.self]?.time ?? 0
        }
    }
}

extension Relux.QueryStart: CustomReflectable, CustomStringConvertible {
    // Addresses don't belong in the texts of actions.
    var customMirror: Mirror { Mirror(self, children: []) }
    var description: String { "QueryStart" }
}
