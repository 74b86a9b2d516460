extension Relux {
    /// A state with the steps that led to it, which can be undone and redone.
    ///
    /// A module lists it in the place of the state, together with the reducer that lets the state's own actions reach
    /// it. Nothing else changes: features dispatch the actions that they always did, and `.undo` and `.redo` besides.
    ///
    /// ```swift
    /// var states: [any Relux.State] { [Relux.Undoable(Notes.State(), limit: 50)] }
    /// var reducers: [Relux.Reducer] { [Relux.Undoable<Notes.State>.reducer] }
    ///
    /// await store.dispatch(Notes.State.Action.renamed(id, title))
    /// await store.dispatch(Relux.Undoable<Notes.State>.Action.undo)
    /// ```
    ///
    /// - Steps: ``UndoableState/historyRole(of:)`` says which actions make a step, which join the one before, and which
    ///   make none. An action that leaves the state equal makes no step, and one that joins a step and brings back what
    ///   was before that step takes it away.
    /// - Redo: A new step forgets what was undone before it. Actions without a step don't.
    /// - Bounds: Where there are more steps than ``limit``, the oldest are forgotten.
    /// - Memory: A step keeps the state as it was, which shares with its neighbours what they have in common: changing
    ///   an array costs one copy of that array a step. Changes that join a step, or make none, go on in place
    ///   after that.
    ///
    /// It is for a state that one store alone changes. Going back takes over an earlier state as a whole, or what
    /// ``UndoableState/restore(_:)`` chooses of it, and with that undoes what others have done to the same values
    /// since. Where a list is merged with what other processes do, keep as a step what it changed, and undo it by one
    /// more change.
    ///
    /// Beside the reducer's own work, an action that makes a step costs a comparison of the states before and after,
    /// one that joins a step a comparison as well, and one that makes none costs nothing.
    ///
    /// It is `Hashable` and `Codable` where the state is. Decoding seals the last step, so that nothing joins it.
    public struct Undoable<S: UndoableState>: State {
        /// What can be done with the history.
        public enum Action: Relux.Action, Hashable {
            /// Goes back by one step. Does nothing where there is none.
            case undo

            /// Goes forward by one step that was undone. Does nothing where there is none.
            case redo

            /// Ends the last step: what comes next doesn't join it, even if it could. A field that loses the focus.
            case seal

            /// Forgets all steps, and what was undone; the state stays as it is. A document that was saved or closed.
            case forget
        }

        /// The state as it is.
        public private(set) var present: S

        /// How many steps are kept at most.
        public let limit: Int

        // The states before each step, the oldest first, and the states after each undone step, the next one last.
        private(set) var past: [S] = []
        private(set) var future: [S] = []

        // What the last step was made of, as long as it can be joined. Without a past there is none.
        private var openKey: AnySendableHashable?

        /// A state without a history.
        ///
        /// - Parameters:
        ///   - present: The state.
        ///   - limit: How many steps are kept at most. Zero or less keeps none.
        public init(_ present: S, limit: Int = 100) {
            self.present = present
            self.limit = max(limit, 0)
        }
    }
}

extension Relux.Undoable {
    /// Lets the state's own actions reach it: for the ``Relux/Module/reducers`` of the module that lists it.
    public static var reducer: Relux.Reducer {
        Relux.Reducer(of: Self.self, on: S.Action.self) { undoable, action in undoable.apply(action) }
    }

    /// How many steps can be undone.
    public var undoCount: Int { past.count }

    /// How many steps can be redone.
    public var redoCount: Int { future.count }

    /// Whether there is a step to undo.
    public var canUndo: Bool { !past.isEmpty }

    /// Whether there is a step to redo.
    public var canRedo: Bool { !future.isEmpty }

    /// Goes through the history.
    ///
    /// - Parameter action: Where to go.
    /// - Complexity: O(1), beside what ``UndoableState/restore(_:)`` does.
    public mutating func reduce(_ action: Action) {
        openKey = nil
        switch action {
        case .undo:
            guard let earlier = past.popLast() else { return }
            future.append(present)
            present.restore(earlier)
        case .redo:
            guard let later = future.popLast() else { return }
            past.append(present)
            present.restore(later)
        case .seal:
            break
        case .forget:
            past = []
            future = []
        }
    }

    /// Reduces an action of the state, in the role that the state gives it.
    ///
    /// - Parameter action: What happened.
    public mutating func apply(_ action: S.Action) {
        update(as: present.historyRole(of: action)) { $0.reduce(action) }
    }

    /// Changes the state as something else demands: an effect, or the action of another feature.
    ///
    /// ```swift
    /// Relux.Reducer(of: Relux.Undoable<Notes.State>.self, on: Notes.Effect.self) { undoable, _ in
    ///     undoable.update(as: .passing) { $0.notes.startLoading() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - role: What the change means for the history.
    ///   - body: Changes the state.
    /// - Complexity: O(``limit``) at most beside `body` and the comparison.
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
        // Without a history nothing is kept, so nothing has to be copied or compared either.
        guard limit > 0 else { return body(&present) }
        let before = present
        body(&present)
        guard present != before else { return }
        if past.count == limit {
            past.removeFirst()
        }
        past.append(before)
        future.removeAll()
        openKey = key
    }
}

extension Relux.Undoable: Hashable where S: Hashable {}

extension Relux.Undoable: Codable where S: Codable {
    private enum CodingKeys: String, CodingKey {
        case present
        case limit
        case past
        case future
    }

    /// Decodes a state with its history.
    ///
    /// - Parameter decoder: Gives it. More steps than the limit allows are forgotten, those furthest away first.
    /// - Throws: What decoding a state throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(S.self, forKey: .present),
            limit: try container.decode(Int.self, forKey: .limit)
        )
        past = try container.decode([S].self, forKey: .past).suffix(limit)
        future = try container.decode([S].self, forKey: .future).suffix(limit - past.count)
    }
}
