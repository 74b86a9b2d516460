extension Relux {
    /// A state with a history of steps that can be undone and redone.
    ///
    /// A module lists it in place of the state, together with the reducer that applies the state's own actions to it.
    /// Nothing else changes: features dispatch the same actions as before, and also `.undo` and `.redo`.
    ///
    /// ```swift
    /// var states: [any Relux.State] { [Relux.Undoable(Notes.State(), limit: 50)] }
    /// var reducers: [Relux.Reducer] { [Relux.Undoable<Notes.State>.reducer] }
    ///
    /// await store.dispatch(Notes.State.Action.renamed(id, title))
    /// await store.dispatch(Relux.Undoable<Notes.State>.Action.undo)
    /// ```
    ///
    /// - Steps: ``UndoableState/historyRole(of:)`` determines which actions make a step, which join the previous step,
    ///   and which make none. An action that doesn't change the state makes no step. An action that joins a step and
    ///   restores the state from before that step removes the step.
    /// - Redo: A new step discards the undone steps. Actions that make no step keep them.
    /// - Bounds: If there are more than ``limit`` steps, the oldest are discarded.
    /// - Memory: A step keeps the state from before it, sharing storage with neighbouring steps for everything that
    ///   didn't change: changing an array costs one copy of that array per step. Later changes that join the step, or
    ///   make none, are made in place.
    ///
    /// - Several stores: A history belongs to its value. Stores that share a value, such as a list that several
    ///   processes save, share its history as well: they save it with the state, and take in what others have saved
    ///   with ``Action/adopt(_:)``. An undo then reverts the last step, no matter which store made it.
    ///   Undoing restores an earlier state as a whole, or the part that ``UndoableState/restore(_:)`` chooses, so it
    ///   also reverts changes that were merged in without a step.
    /// - Ids: A restored state that is a ``ContinuingState`` carries on from the one that it replaces, so that no id is
    ///   used twice.
    /// - Saving: A `Saved` of the whole state writes each step once, under a key of its own: a save writes the present
    ///   state and the steps that have changed.
    ///
    /// The cost on top of the reducer's own work is one comparison of two states for an action that makes a step or
    /// joins one, and nothing for an action that makes none.
    ///
    /// It is `Hashable` and `Codable` if the state is. Decoding seals the last step, so that nothing joins it.
    public struct Undoable<S: UndoableState>: State {
        /// The actions of the history.
        public indirect enum Action: Relux.Action, Equatable {
            /// Undoes one step. Does nothing if there is none.
            case undo

            /// Redoes one undone step. Does nothing if there is none.
            case redo

            /// Seals the last step, so that no later action joins it. Dispatch it, for example, when a text field loses
            /// the focus.
            case seal

            /// Discards all steps, done and undone, and keeps the state. Dispatch it, for example, when a document has
            /// been closed.
            case forget

            /// Takes over the state and the history that another store has saved. The state is taken over by
            /// ``UndoableState/restore(_:)``, and the limit stays.
            case adopt(Undoable)
        }

        /// The current state.
        public private(set) var present: S

        /// The maximum number of steps to keep.
        public private(set) var limit: Int

        /// Whether the steps are saved, and encoded, with the state.
        public private(set) var savesHistory: Bool

        // The state before each step, oldest first, and the state after each undone step, with the next one to redo
        // last.
        private(set) var past: [S] = []
        private(set) var future: [S] = []

        // The number of the oldest state. Each later one has the next number, the present state included.
        private var first = Uncompared(value: 1)

        // The merging id of the last step while it can be joined. It is nil if `past` is empty.
        private var openKey: AnySendableHashable?

        /// Creates a state without a history.
        ///
        /// - Parameters:
        ///   - limit: The maximum number of steps to keep. Zero or less keeps none.
        ///   - savesHistory: Whether the steps are saved, and encoded, with the state. Each is a state of its own
        ///     there, so without them, what is saved is smaller by a factor of up to ``limit``; a loaded state then has
        ///     no steps.
        public init(_ present: S, limit: Int = 100, savesHistory: Bool = true) {
            self.present = present
            self.savesHistory = savesHistory
            self.limit = max(limit, 0)
        }
    }
}

extension Relux.Undoable {
    /// The reducer that applies the state's own actions.
    ///
    /// List it in the ``Relux/Module/reducers`` of the module that lists the state.
    public static var reducer: Relux.Reducer {
        Relux.Reducer(of: Self.self, on: S.Action.self) { undoable, action in undoable.apply(action) }
    }

    /// The number of steps that can be undone.
    public var undoCount: Int { past.count }

    /// The number of steps that can be redone.
    public var redoCount: Int { future.count }

    /// Whether there is a step to undo.
    public var canUndo: Bool { !past.isEmpty }

    /// Whether there is a step to redo.
    public var canRedo: Bool { !future.isEmpty }

    /// Applies an action of the history.
    ///
    /// - Complexity: O(1), or O(``limit``) for ``Action/adopt(_:)``, not counting ``UndoableState/restore(_:)``.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .undo:
            guard let earlier = past.popLast() else { return }
            future.append(present)
            restore(earlier)
        case .redo:
            guard let later = future.popLast() else { return }
            past.append(present)
            restore(later)
        case .seal:
            break
        case .forget:
            past = []
            future = []
        case .adopt(let other):
            restore(other.present)
            takeHistory(of: other)
        }
        openKey = nil
    }

    private mutating func takeHistory(of other: Self) {
        func last(_ count: Int, of states: [S]) -> [S] { states.count > count ? states.suffix(count) : states }
        past = last(limit, of: other.past)
        future = last(limit - past.count, of: other.future)
        first.value = other.first.value + other.past.count - past.count
    }

    private mutating func restore(_ snapshot: S) {
        let replaced = present
        present.restore(snapshot)
        present.carryOnIfContinuing(from: replaced)
    }

    /// Reduces an action of the state, in the role that the state assigns to it.
    public mutating func apply(_ action: S.Action) {
        update(as: present.historyRole(of: action)) { $0.reduce(action) }
    }

    /// Changes the state in response to something else, such as an effect or an action of another feature.
    ///
    /// ```swift
    /// Relux.Reducer(of: Relux.Undoable<Notes.State>.self, on: Notes.Effect.self) { undoable, _ in
    ///     undoable.update(as: .passing) { $0.notes.startLoading() }
    /// }
    /// ```
    ///
    /// - Parameter role: The meaning of the change for the history.
    /// - Complexity: At most O(``limit``), not counting `body` and the comparison.
    public mutating func update(as role: Relux.HistoryRole, _ body: (inout S) -> Void) {
        switch role.kind {
        case .passing:
            body(&present)
        case .step:
            step(joinedBy: nil, body)
        case .merging(let key) where key == openKey:
            body(&present)
            if past.last == present {
                past.removeLast()
                openKey = nil
            }
        case .merging(let key):
            step(joinedBy: key, body)
        }
    }

    private mutating func step(joinedBy key: AnySendableHashable?, _ body: (inout S) -> Void) {
        // Without a history, there is nothing to copy or compare.
        guard limit > 0 else { return body(&present) }
        let before = present
        body(&present)
        guard present != before else { return }
        if past.count == limit {
            past.removeFirst()
            first.value += 1
        }
        past.append(before)
        future.removeAll()
        openKey = key
    }
}

extension Relux.Undoable: Relux.ContinuingState where S: Relux.ContinuingState {
    /// Lets the state carry on. The history stays what it is.
    public mutating func carryOn(from replaced: Self) { present.carryOn(from: replaced.present) }

    /// Lets the state carry on. The history stays what it is.
    public mutating func carryOn(fromRemoved removed: Self) { present.carryOn(fromRemoved: removed.present) }
}

extension Relux.Undoable: Hashable where S: Hashable {}

extension Relux.Undoable.Action: Hashable where S: Hashable {}

extension Relux.Undoable.Action: Codable where S: Codable {}

/// A number that isn't part of the value which contains it: all are equal.
private struct Uncompared: Hashable {
    var value: Int

    static func == (lhs: Self, rhs: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

/// A state whose steps can be saved one by one.
package protocol HistoryState<Snapshot>: Relux.State {
    associatedtype Snapshot: Codable & Equatable & Sendable

    var present: Snapshot { get }
    /// The state before each step by its number, and the negative number of the state after each undone step. A state
    /// keeps its number while it is in the history.
    var steps: [Int: Snapshot] { get }

    init(_ present: Snapshot, steps: [Int: Snapshot])

    /// What is saved of the state, or was, with the limit and the choice of another one.
    func configured(as other: Self) -> Self
}

extension Relux.Undoable: HistoryState where S: Codable {
    package var steps: [Int: S] {
        let done = past.enumerated().map { (first.value + $0, $1) }
        let undone = future.reversed().enumerated().map { (-(first.value + past.count + 1 + $0), $1) }
        return Dictionary(uniqueKeysWithValues: done + undone)
    }

    package init(_ present: S, steps: [Int: S]) {
        self.init(present)
        let inOrder = steps.sorted { $0.key.magnitude < $1.key.magnitude }
        past = inOrder.filter { $0.key > 0 }.map(\.value)
        future = inOrder.filter { $0.key < 0 }.map(\.value).reversed()
        if let number = inOrder.first?.key { first.value = max(number, -number - 1, 1) }
    }

    package func configured(as other: Self) -> Self {
        var configured = Self(present, limit: other.limit, savesHistory: other.savesHistory)
        if savesHistory, other.savesHistory { configured.takeHistory(of: self) }
        return configured
    }
}

extension Relux.Undoable: Codable where S: Codable {
    private enum CodingKeys: String, CodingKey {
        case present
        case limit
        case past
        case future
    }

    /// Decodes a state with its history.
    ///
    /// If there are more steps than the limit allows, those furthest from the current state are discarded.
    ///
    /// - Throws: Any error thrown while decoding a state or the limit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(S.self, forKey: .present),
            limit: try container.decode(Int.self, forKey: .limit),
            savesHistory: container.contains(.past)
        )
        guard savesHistory else { return }
        past = try container.decode([S].self, forKey: .past).suffix(limit)
        future = try container.decode([S].self, forKey: .future).suffix(limit - past.count)
    }

    /// Encodes the state, and the steps if it ``savesHistory``.
    ///
    /// - Throws: Any error thrown while encoding a state.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(present, forKey: .present)
        try container.encode(limit, forKey: .limit)
        guard savesHistory else { return }
        try container.encode(past, forKey: .past)
        try container.encode(future, forKey: .future)
    }
}
