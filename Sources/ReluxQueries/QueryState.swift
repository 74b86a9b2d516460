public import Relux

extension Relux {
    /// The kept part of a query: its confirmed values and their ages.
    ///
    /// Present activity (requests, uses, mutations) isn't part of it. A `reset(except: [QueryState<Q>.self])`
    /// therefore keeps the values, and ends everything else. Screens read by ``StateReader/query(_:_:)``.
    ///
    /// A reset, and a later registration, begin with the initial values. Answers and rows that were asked for before
    /// don't replace them.
    ///
    /// - Complexity: A copy is O(1), a change of one key O(log *n*).
    public struct QueryState<Q: Query>: State {
        /// The state has no actions of its own.
        public typealias Action = Never

        /// The confirmed value of a key.
        public struct Kept: Identifiable, Sendable, Equatable {
            /// The key.
            public let id: Q.Key
            /// The value, without mutations that are under way.
            public var value: Q.Value

            /// Creates the value of a key.
            public init(id: Q.Key, value: Q.Value) {
                self.id = id
                self.value = value
            }
        }

        /// The age of a value. Numbers are counts of ``time``.
        struct Record: Identifiable, Sendable, Equatable {
            let id: Q.Key
            var staleAfter: Duration
            var fetchedAt: Duration?
            var failure: Q.Failure?
            var moreFailure: Q.Failure?
            /// The beginning of the request that the present value answers.
            var known = 0
            var invalid = 0
            /// The last write by something else than an answer.
            var written = 0
            /// The beginning of the request of another query whose rows were last stored.
            var rows = 0
            /// What it has provided, as long as no answer to a request of the key has been stored since.
            var row: Q.Value?
            /// The end of the last request.
            var settled = 0
            /// The moment in which the present list of pages was stored, or last written.
            var list = 0
            /// The last mutation that a ``Forget`` has made meaningless.
            var forgotten = 0
            /// The number of uses and requests that have begun.
            var touches = 0

            var isValid: Bool { fetchedAt != nil && known >= invalid }
        }

        /// The confirmed values, in the order in which they arrived.
        public internal(set) var kept: Entities<Kept>
        var records = Entities<Record>()
        /// Counts what can make an answer late, and which of two requests began first: requests, their further
        /// attempts, answers, invalidations and writes.
        var time = 0
        var allInvalid = 0
        /// The number of the last mutation.
        var mutations = 0
        /// The last writes of the keys whose records were removed lately.
        var removedWrites: [Q.Key: Int] = [:]
        /// The last write and the last ``Record/forgotten`` of all other records that were removed.
        var (removedWrite, removedMutation) = (0, 0)
        /// The last invalidation of all records that were removed.
        var removedInvalid = 0
        /// Set by the reducers of the query's module, which knows it, wherever the state is from.
        var staleAfter = Duration.zero {
            didSet {
                guard staleAfter != oldValue else { return }
                for key in records.ids { records[id: key]?.staleAfter = staleAfter }
            }
        }
        /// Set like ``staleAfter``.
        var cancelsUnused = true

        /// Creates a state with values that are known beforehand, for previews and tests. They are stale.
        public init(_ values: [Q.Key: Q.Value] = [:]) {
            kept = .init(values.map { Kept(id: $0, value: $1) }, keeping: .first)
        }
    }
}

extension Relux.QueryState.Kept: Codable where Q.Key: Codable, Q.Value: Codable {}

// MARK: - Saving

extension Relux.QueryState {
    /// The part of the state that is worth saving.
    public struct Saved: Sendable, Equatable {
        /// The confirmed values.
        public var values: Relux.Entities<Kept>
    }

    /// The payload for a `Saved`, with `elements: \.values`, so that a change of one key writes one record.
    ///
    /// A loaded value is shown at once, and is stale: its first use asks for it again.
    ///
    /// - Complexity: O(1), in both directions.
    public var saved: Saved {
        get { Saved(values: kept) }
        set { kept = newValue.values }
    }
}

extension Relux.QueryState.Saved: Codable where Q.Key: Codable, Q.Value: Codable {}

// MARK: - Beginning again

extension Relux.QueryState: Relux.ContinuingState {
    /// Continues the counts, so that nothing that was asked for or sent before counts as newer than what follows.
    public mutating func carryOn(from replaced: Self) {
        time = replaced.time + 1
        (allInvalid, removedWrite, removedWrites) = (time, time, [:])
        mutations = replaced.mutations
        removedMutation = mutations
    }
}

// MARK: - Reading

extension Relux.QueryState {
    /// The count of the last invalidation or write: a request of a smaller turn is outdated.
    func floor(of key: Q.Key) -> Int { floor(of: record(of: key)) }

    private func floor(of record: Record) -> Int { max(record.invalid, allInvalid, record.written) }

    /// The count of the last event that separates requests. A caller that has decided before an answer arrived, and
    /// asks after it, must not join a newer request: it has its answer already.
    func turn(of key: Q.Key) -> Int { max(floor(of: key), records[id: key]?.settled ?? 0) }

    /// What tells later whether something has been decided too early.
    func moment(of key: Q.Key) -> Relux.QueryMoment { .init(turn: turn(of: key), floor: floor(of: key)) }

    func isValid(_ key: Q.Key) -> Bool { records[id: key]?.isValid ?? false }

    /// Whether the value is an answer to a request that began after the last invalidation and write, or such a write.
    func isAnswered(_ key: Q.Key) -> Bool { isValid(key) && records[id: key]?.known ?? 0 >= floor(of: key) }

    func isFresh(_ key: Q.Key, at now: Duration, for query: Q) -> Bool {
        guard let record = records[id: key], record.isValid, let fetchedAt = record.fetchedAt else { return false }
        return record.failure == nil && now - fetchedAt < query.staleAfter
    }
}

// MARK: - Reducing

extension Relux.QueryState {
    /// The record of a key. If there is none, a new one, for which what was invalidated, written or forgotten before
    /// still counts.
    func record(of key: Q.Key) -> Record {
        records[id: key]
            ?? Record(
                id: key, staleAfter: staleAfter, invalid: removedInvalid,
                written: removedWrites[key] ?? removedWrite, forgotten: removedMutation)
    }

    /// Changes the record of a key, which is created if there is none.
    mutating func change(_ key: Q.Key, _ body: (inout Self, inout Record) -> Void) {
        var record = record(of: key)
        body(&self, &record)
        if records[id: key] != record { records.upsert(record) }
    }

    /// Stores a confirmed value, if it differs.
    mutating func store(_ value: Q.Value, for key: Q.Key) {
        if kept[id: key]?.value != value { kept.upsert(Kept(id: key, value: value)) }
    }

    mutating func reduce(_ event: Relux.QueryEvent<Q>) {
        switch event {
        case .fetched(let key, let value, let stamp):
            time += 1
            change(key) { state, record in
                // An answer that was asked for before an invalidation or a write may not know of it.
                guard stamp.began >= max(state.floor(of: record), record.known) else { return }
                record.settled = state.time
                // What was asked for later counts, as if it had arrived later.
                let row = record.rows >= stamp.began ? record.row : nil
                state.store(row.map { Q.merge($0, into: value) } ?? value, for: key)
                record.row = nil
                (record.known, record.fetchedAt, record.list) = (stamp.began, stamp.time, state.time)
                (record.failure, record.moreFailure) = (nil, nil)
            }
        case .failed(let key, let failure, let turn):
            time += 1
            change(key) { state, record in
                if turn >= state.floor(of: record) { (record.settled, record.failure) = (state.time, failure) }
            }
        case .confirmed(let key, let mutation, let number, let value, let began, let now):
            time += 1
            change(key) { state, record in
                guard number > record.forgotten else { return }
                let isLate = began < state.floor(of: record)
                (record.written, record.list, record.moreFailure) = (state.time, state.time, nil)
                let present = state.kept[id: key]?.value
                if let value, !isLate {
                    state.store(present.map { Q.merge(value, into: $0) } ?? value, for: key)
                    (record.known, record.fetchedAt, record.failure) = (state.time, now, nil)
                } else {
                    record.invalid = state.time
                    guard var present else { return }
                    mutation.apply(to: &present)
                    state.store(present, for: key)
                }
            }
        case .rejected(let key, _, let number):
            time += 1
            change(key) { state, record in
                if number > record.forgotten { record.invalid = state.time }
            }
        case .evicted(let keys):
            for record in keys.compactMap({ records[id: $0] }) {
                if record.written > removedWrite { removedWrites[record.id] = record.written }
                removedMutation = max(removedMutation, record.forgotten)
                removedInvalid = max(removedInvalid, record.invalid)
            }
            // Bounded. Beyond, rows that are being asked for are lost if nothing else is known of their keys.
            if removedWrites.count > 1_000 {
                removedWrite = removedWrites.values.max() ?? removedWrite
                removedWrites = [:]
            }
            records.remove(ids: keys)
            kept.remove(ids: keys)
        case .moreWanted(let key, _): records[id: key]?.moreFailure = nil
        case .moreFailed(let key, _, let failure): change(key) { $1.moreFailure = failure }
        case .setback: time += 1
        case .stopped, .givenUp, .released, .skipped, .prefetchTaken, .prefetchLeft, .moreStopped: break
        }
    }

    mutating func reduce(_ invalidation: Relux.Invalidate<Q>) {
        time += 1
        let now = time
        switch invalidation.subject {
        case .all:
            // Also for what has no record yet.
            allInvalid = now
            for key in records.ids { change(key) { $1.invalid = now } }
        case .keys(let keys): for key in keys where knows(key) { change(key) { $1.invalid = now } }
        case .matching(let isMeant):
            for key in knownKeys where isMeant(key) { change(key) { $1.invalid = now } }
        }
    }

    mutating func reduce(_ provided: Relux.Provide<Q>) {
        time += 1
        for new in provided.values {
            change(new.id) { state, record in
                if let start = provided.start?.time(of: Q.self) {
                    guard start >= max(record.written, record.known, record.rows) else { return }
                    (record.rows, record.row) = (start, new.value)
                } else {
                    record.written = state.time
                    if let time = provided.time {
                        (record.known, record.fetchedAt, record.failure) = (state.time, time, nil)
                    }
                }
                (record.list, record.moreFailure) = (state.time, nil)
                let present = state.kept[id: new.id]?.value
                state.store(present.map { Q.merge(new.value, into: $0) } ?? new.value, for: new.id)
            }
        }
    }

    mutating func forget(_ key: Q.Key) {
        time += 1
        kept.remove(id: key)
        change(key) { state, record in
            let touches = record.touches
            record = Record(id: key, staleAfter: record.staleAfter)
            (record.written, record.invalid, record.forgotten) = (state.time, state.time, state.mutations)
            record.touches = touches
        }
    }
}
