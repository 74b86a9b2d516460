extension Relux.UI {
    /// What a view gets instead of a closure: it can be compared, so that a view whose props and callbacks are equal
    /// needn't be made again.
    ///
    /// **What a body captures without naming it takes no part in the callback's identity.** Identity is the call site
    /// (file, line and column) and what is named as captured. Two rows of a list make their callbacks on one line: if
    /// the row's id were captured silently, the callbacks of all rows would be equal, and a view that is kept because
    /// "nothing changed" would go on calling for another row. So name it:
    ///
    /// ```swift
    /// ViewCallback(capturing: note.id) { id, title in await dispatcher.dispatch(Notes.Action.rename(id, title)) }
    /// ```
    ///
    /// The form without `capturing` is for bodies whose captures never change for that call site, such as a dispatcher
    /// that lives as long as the view. The form that sends an action is identified by the action's value and the store.
    ///
    /// - Isolation: None; it can be made, compared and called anywhere. A body runs where its caller is isolated,
    ///   unless it says itself where it belongs.
    /// - Ordering: Fired bodies begin in the order of the calls, whichever callbacks are fired, and each goes on to its
    ///   first suspension before the next begins. So actions dispatched first in them are reduced in the order of the
    ///   taps. What comes after a suspension is not ordered, and the way to an actor is one: a body that says itself
    ///   where it belongs (`{ @MainActor in … }`) keeps the order with those that belong there too, but one without
    ///   such words that is fired right behind it may begin first. Callbacks made with `sending:` have no body: their
    ///   actions are on the way when `fire` returns, in the order of the calls, and may come before those of a body
    ///   that was fired just before. Where that matters, write bodies of one kind.
    /// - Cancellation: Calling awaits the body in the caller's task. A fired body runs in a task of its own, which
    ///   nobody cancels.
    /// - Lifetime: It keeps what its body captures; a dispatcher keeps no store.
    public struct ViewCallback<Input: Sendable>: Sendable, Hashable, Identifiable {
        /// What makes two callbacks the same.
        public let id: CallbackIdentity

        let body: Body

        typealias Run = nonisolated(nonsending) @Sendable (Input) async -> Void

        enum Body: Sendable {
            case run(Run)
            /// Sends, which is synchronous and in order by itself.
            case send(@Sendable (Input) -> Void)
            case nothing
        }

        init(id: CallbackIdentity, _ body: Body) {
            self.id = id
            self.body = body
        }

        /// Makes a callback of a body whose captures never change for this call site.
        ///
        /// - Parameters:
        ///   - fileID: The file of the call, a part of the identity.
        ///   - line: The line of the call, a part of the identity.
        ///   - column: The column of the call, a part of the identity.
        ///   - body: What to do with the input.
        public init(
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ body: nonisolated(nonsending) @escaping @Sendable (Input) async -> Void
        ) {
            self.init(id: CallbackIdentity(fileID, line, column), .run(body))
        }

        /// Makes a callback of a body that is handed what it captures.
        ///
        /// - Parameters:
        ///   - captured: What the body needs, a part of the identity. Name several things as an array, or as a struct.
        ///   - fileID: The file of the call, a part of the identity.
        ///   - line: The line of the call, a part of the identity.
        ///   - column: The column of the call, a part of the identity.
        ///   - body: What to do with what was captured and with the input.
        public init<Captured: Hashable & Sendable>(
            capturing captured: Captured, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ body: nonisolated(nonsending) @escaping @Sendable (Captured, Input) async -> Void
        ) {
            self.init(
                id: CallbackIdentity(fileID, line, column).capturing(captured),
                .run { input in await body(captured, input) }
            )
        }

        /// Does nothing: for previews, and where a view wants a callback that nobody needs.
        public static var noop: ViewCallback { ViewCallback(id: .noop, .nothing) }

        /// A callback for another input, from which this one's is made.
        ///
        /// - Parameters:
        ///   - fileID: The file of the call, a part of the identity.
        ///   - line: The line of the call, a part of the identity.
        ///   - column: The column of the call, a part of the identity.
        ///   - transform: Makes this callback's input. What it captures takes no part in the identity.
        /// - Returns: A callback identified by this one and the call site.
        public func map<Other: Sendable>(
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ transform: @escaping @Sendable (Other) -> Input
        ) -> ViewCallback<Other> {
            mapped(id.mapped(at: CallbackIdentity(fileID, line, column)), transform)
        }

        /// A callback for another input, from which this one's is made, with what the transform captures.
        ///
        /// - Parameters:
        ///   - captured: What the transform needs, a part of the identity.
        ///   - fileID: The file of the call, a part of the identity.
        ///   - line: The line of the call, a part of the identity.
        ///   - column: The column of the call, a part of the identity.
        ///   - transform: Makes this callback's input from what was captured and the other input.
        /// - Returns: A callback identified by this one, the call site and what was captured.
        public func map<Captured: Hashable & Sendable, Other: Sendable>(
            capturing captured: Captured, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ transform: @escaping @Sendable (Captured, Other) -> Input
        ) -> ViewCallback<Other> {
            mapped(id.mapped(at: CallbackIdentity(fileID, line, column).capturing(captured))) {
                transform(captured, $0)
            }
        }

        private func mapped<Other: Sendable>(
            _ id: CallbackIdentity, _ transform: @escaping @Sendable (Other) -> Input
        ) -> ViewCallback<Other> {
            switch body {
            case .run(let run): ViewCallback<Other>(id: id, .run { await run(transform($0)) })
            case .send(let send): ViewCallback<Other>(id: id, .send { send(transform($0)) })
            case .nothing: ViewCallback<Other>(id: id, .nothing)
            }
        }

        /// Whether both have the same identity. Bodies can't be compared.
        ///
        /// - Parameters:
        ///   - lhs: A callback.
        ///   - rhs: Another one.
        /// - Returns: Whether they are equal.
        public static func == (lhs: ViewCallback, rhs: ViewCallback) -> Bool {
            lhs.id == rhs.id
        }

        /// Hashes the identity.
        ///
        /// - Parameter hasher: The hasher to feed.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(id)
        }
    }
}

extension Relux.UI.ViewCallback where Input == Void {
    /// Makes a callback without input, of a body whose captures never change for this call site.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, a part of the identity.
    ///   - line: The line of the call, a part of the identity.
    ///   - column: The column of the call, a part of the identity.
    ///   - body: What to do.
    public init(
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ body: nonisolated(nonsending) @escaping @Sendable () async -> Void
    ) {
        self.init(id: Relux.UI.CallbackIdentity(fileID, line, column), .run { _ in await body() })
    }

    /// Makes a callback without input, of a body that is handed what it captures.
    ///
    /// - Parameters:
    ///   - captured: What the body needs, a part of the identity.
    ///   - fileID: The file of the call, a part of the identity.
    ///   - line: The line of the call, a part of the identity.
    ///   - column: The column of the call, a part of the identity.
    ///   - body: What to do with what was captured.
    public init<Captured: Hashable & Sendable>(
        capturing captured: Captured, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ body: nonisolated(nonsending) @escaping @Sendable (Captured) async -> Void
    ) {
        self.init(
            id: Relux.UI.CallbackIdentity(fileID, line, column).capturing(captured),
            .run { _ in await body(captured) }
        )
    }

    /// Makes a callback that sends an action.
    ///
    /// It is identified by the action's value and the store, wherever it is made: two such callbacks for the same
    /// action and store are the same.
    ///
    /// - Parameters:
    ///   - action: What to send.
    ///   - dispatcher: Where to.
    ///   - fileID: The file of the call, for the action's record.
    ///   - line: The line of the call, for the action's record.
    public init(
        sending action: some Relux.Action & Hashable, to dispatcher: Relux.Dispatcher,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            id: Relux.UI.CallbackIdentity(sending: action, to: dispatcher),
            .send { _ in dispatcher.send(action, fileID: fileID, line: line) }
        )
    }
}
