import Relux

extension Relux {
    /// An observer that records what a store does, with its causes and with copies of the states.
    ///
    /// ```swift
    /// let recorder = Relux.TraceRecorder(states: .changed(of: [Items.State.self]))
    /// let store = try await Relux.Store(.init(observers: [recorder])) { … }
    /// …
    /// print(recorder.why(Items.State.self, \.list[id]?.title))
    /// ```
    ///
    /// Actions and states are kept as values. Their texts and differences are made only when they are asked for.
    ///
    /// - Isolation: It can be read from anywhere at any time, for example from a debugger.
    /// - Ordering: Recording changes no order. Use one recorder for each store. What has no time of its own, such as a
    ///   registration, a reset, or a failed save, gets that of the event before it.
    /// - Lifetime: It keeps the actions, states, and reducers that it has recorded, and nothing else of the store. A
    ///   state that is kept shares its storage with the store, so the next change of a large array in it copies the
    ///   array.
    /// - Complexity: O(1) for each event, and O(n) in the states that an action concerns.
    public final class TraceRecorder: StoreObserver {
        /// Which states a recorder keeps.
        public struct States: Sendable {
            fileprivate let types: Set<ObjectIdentifier>?
            fileprivate let limit: Int

            /// After each action, keeps the states whose reducers have run.
            public static var changed: States { States(types: nil, limit: .max) }

            /// After each action, keeps the states of these types whose reducers have run.
            public static func changed(of types: [any State.Type]) -> States {
                States(types: Set(types.map { ObjectIdentifier($0) }), limit: .max)
            }

            /// Keeps the states whose reducers have run, but only for the last actions.
            ///
            /// - Parameter count: The number of actions; registrations and resets that concern states count as well.
            ///   Fewer are kept if it ends inside a step, such as a batch, whose states are dropped together.
            public static func last(_ count: Int) -> States { States(types: nil, limit: max(count, 0)) }

            /// Keeps no states.
            public static var none: States { .last(0) }
        }

        private let states: States
        private let log: Lock<RecorderLog>

        /// Creates a recorder.
        ///
        /// - Parameters:
        ///   - states: Which states are kept.
        ///   - capacity: The number of events that are kept, at least 1. If there are more, the oldest are dropped.
        public init(states: States = .last(1_000), capacity: Int = 50_000) {
            self.states = states
            log = Lock(RecorderLog(capacity: capacity, stateLimit: states.limit))
        }

        /// The trace until now.
        ///
        /// - Complexity: O(n) in the number of events. The actions of a batch are reduced again, one by one.
        public var trace: Trace { Trace(log.withLock { $0 }) }

        /// Why a value is what it is: the last action that changed it, and the causes of that action.
        ///
        /// - Parameters:
        ///   - state: The state.
        ///   - path: The value in the state.
        ///   - scope: The instance, as its description says; nil for whichever changed last.
        /// - Complexity: As ``trace``.
        public func why<S: State, V: Equatable>(
            _ state: S.Type, _ path: KeyPath<S, V>, in scope: String? = nil
        ) -> Trace.Why {
            trace.why(state, path, in: scope)
        }

        /// Adds a line of text to the trace.
        public func note(_ text: String) {
            append(.note(text))
        }

        private func append(_ event: RecorderLog.Event, _ states: [KeptState] = []) {
            // Dropped values are released outside the lock, because a `deinit` of a user's value may use the recorder.
            let dropped = log.withLock { $0.append(event, states) }
            withExtendedLifetime(dropped) {}
        }

        private func isKept(_ type: any State.Type) -> Bool {
            states.limit > 0 && states.types?.contains(ObjectIdentifier(type)) ?? true
        }

        /// Records an action, and keeps the states that it has touched.
        public func actionReduced(_ record: ActionRecord, leaving reader: borrowing StateReader) {
            var kept: [KeptState] = []
            // A state that hears an instance in an instance is listed once for each scope with a reducer.
            var seen: Set<RecorderLog.Key> = []
            for state in record.reduced where isKept(state.type) {
                guard let found = reader.value(of: state),
                    record.reduced.count == 1
                        || seen.insert(.init(scope: found.scope, type: ObjectIdentifier(state.type))).inserted
                else { continue }
                kept.append(KeptState(scope: found.scope, type: state.type, value: found.state))
            }
            append(.action(record), kept)
        }

        /// Records that a run has started.
        public func runStarted(_ run: RunRecord) {
            append(.started(run))
        }

        /// Records how a run ended.
        public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
            append(.ended(run, outcome, late: lateError))
        }

        /// Records an error that nobody received.
        public func failureUnreceived(of run: RunRecord, _ error: any Error) {
            append(.failed(run, error))
        }

        /// Records what was refused.
        public func refused(_ refusal: Refusal) {
            append(.refused(refusal))
        }

        /// Records a module, its reducers, and the values with which its states start.
        public func moduleRegistered(
            _ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader
        ) {
            let description = states.module(module, in: scope)
            let kept = (description?.states ?? []).filter { isKept(type(of: $0)) }
                .map { KeptState(scope: scope, type: type(of: $0), value: $0, isStart: true) }
            if let description {
                let owned = description.states.map { type(of: $0) }
                log.withLock { $0.connect(module, in: scope, owning: owned) }
            }
            append(.module("registered", module, scope, description?.reductions ?? []), kept)
        }

        /// Records that a module was replaced, and its reducers from then on.
        public func moduleReplaced(_ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader) {
            append(.module("replaced", module, scope, states.module(module, in: scope)?.reductions ?? []))
        }

        /// Records that a module was unregistered and its states were removed.
        public func moduleUnregistered(_ module: any Module.Type, in scope: Scope?) {
            let gone = log.withLock { $0.disconnect(module, in: scope) }
            let states = (gone?.value ?? []).filter { isKept($0) }
            append(
                .module("unregistered", module, scope, nil),
                states.map { KeptState(scope: scope, type: $0, value: nil) })
        }

        /// Records a reset, and keeps the initial values.
        public func statesReset(_ types: [any State.Type], leaving states: borrowing StateReader) {
            let reset = Set(types.map { ObjectIdentifier($0) })
            let kept = states.allStates.compactMap { found -> KeptState? in
                let type = type(of: found.state)
                guard reset.contains(ObjectIdentifier(type)), isKept(type) else { return nil }
                return KeptState(scope: found.scope, type: type, value: found.state)
            }
            append(.reset(types), kept)
        }
    }
}

/// A state as an event left it.
struct KeptState: Sendable {
    let scope: Relux.Scope?
    let type: any Relux.State.Type
    /// Nil if the state was removed.
    let value: (any Relux.State)?
    /// Whether the event created it.
    var isStart = false
}

/// The record of a recorder, as values.
struct RecorderLog: Sendable {
    indirect enum Event: Sendable {
        case action(Relux.ActionRecord)
        case started(Relux.RunRecord)
        case ended(Relux.RunRecord, Relux.RunOutcome, late: (any Error)?)
        case failed(Relux.RunRecord, any Error)
        case refused(Relux.Refusal)
        /// With the reducers of the module from then on; nil if it was unregistered.
        case module(String, any Relux.Module.Type, Relux.Scope?, [Relux.ModuleDescription.Reduction]?)
        case reset([any Relux.State.Type])
        case note(String)

        /// The step of an action; 0 for everything else.
        var step: UInt64 { if case .action(let record) = self { record.step } else { 0 } }
    }

    struct Entry: Sendable {
        let event: Event
        var states: [KeptState]
    }

    /// A state or a module of one scope.
    struct Key: Hashable, Sendable {
        let scope: Relux.Scope?
        let type: ObjectIdentifier
    }

    private(set) var entries: Ring<Entry>
    /// The states before the first entry whose states are still kept.
    private(set) var base: [Key: KeptState] = [:]
    /// The number of that entry, counted from the very first.
    private var start = 0
    /// The last step of which states were dropped; 0 for none.
    private var droppedStep: UInt64 = 0
    /// The entries whose states are kept, counted from the very first.
    private var keepers: Ring<Int>?
    private var owned: [Key: [any Relux.State.Type]] = [:]
    /// The modules that were registered before the first entry, with the numbers of their registrations among all
    /// entries and their reducers.
    private(set) var modules: [Key: (number: Int, reductions: [Relux.ModuleDescription.Reduction])] = [:]

    init(capacity: Int, stateLimit: Int) {
        entries = Ring(capacity: capacity)
        if stateLimit > 0, stateLimit < capacity { keepers = Ring(capacity: stateLimit) }
    }

    /// The values that are no longer kept.
    struct Dropped: Sendable {
        var entry: Entry?
        var states: [KeptState] = []
        /// The values that states have had in the base. The keys hold ids.
        var base: [(key: Key, value: KeptState)] = []
        /// The reducers that a module had before. They may hold what a `deinit` belongs to.
        var module: (key: Key, value: (number: Int, reductions: [Relux.ModuleDescription.Reduction]))?
    }

    /// The index of the first entry whose states are still kept.
    var startIndex: Int { start - entries.dropped }

    /// - Returns: The objects that the caller must release, outside of any lock.
    mutating func append(_ event: Event, _ states: [KeptState] = []) -> Dropped {
        var dropped = Dropped()
        if entries.isFull { dropStates(through: entries.dropped, &dropped) }
        dropped.entry = entries.append(Entry(event: event, states: states))
        if case .module(_, let type, let scope, let reductions) = dropped.entry?.event {
            let key = Key(scope: scope, type: ObjectIdentifier(type))
            dropped.module = modules.index(forKey: key).map { modules.remove(at: $0) }
            let number = dropped.module?.value.number ?? entries.dropped
            if let reductions { modules[key] = (number, reductions) }
        }
        let number = entries.dropped + entries.count - 1
        if event.step != 0, event.step == droppedStep {
            dropStates(through: number, &dropped)
        } else if !states.isEmpty, let oldest = keepers?.append(number) {
            dropStates(through: oldest, &dropped)
        }
        return dropped
    }

    /// Moves states to the base, up to those of an entry, and the rest of its step: all actions of a step have the
    /// states that the last one left.
    private mutating func dropStates(through last: Int, _ dropped: inout Dropped) {
        guard last >= start else { return }
        let step = entries[last - entries.dropped].event.step
        var (next, end) = (last + 1, last + 1)
        // Runs that the actions start are reported between them.
        while step != 0, next - entries.dropped < entries.count {
            let entry = entries[next - entries.dropped]
            guard entry.event.step == step || entry.event.step == 0 && entry.states.isEmpty else { break }
            next += 1
            if entry.event.step == step { end = next }
        }
        for index in (start - entries.dropped)..<(end - entries.dropped) {
            moveToBase(entries[index].states, &dropped)
            entries[index].states = []
        }
        start = end
        // The step may not be over: its actions are reported with the runs that they start between them.
        if step != 0 { droppedStep = step }
    }

    private mutating func moveToBase(_ states: [KeptState], _ dropped: inout Dropped) {
        dropped.states += states
        for state in states {
            let key = Key(scope: state.scope, type: ObjectIdentifier(state.type))
            if let place = base.index(forKey: key) { dropped.base.append(base.remove(at: place)) }
            if state.value != nil { base[key] = state }
        }
    }

    mutating func connect(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, owning states: [any Relux.State.Type]
    ) {
        owned[Key(scope: scope, type: ObjectIdentifier(module))] = states
    }

    /// - Returns: The types of the module's states, with their key, which the caller must release outside of any lock.
    mutating func disconnect(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?
    ) -> (key: Key, value: [any Relux.State.Type])? {
        owned.index(forKey: Key(scope: scope, type: ObjectIdentifier(module))).map { owned.remove(at: $0) }
    }
}
