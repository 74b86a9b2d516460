extension Relux.UI {
    /// A value that a view receives instead of a closure. Callbacks can be compared, so a view whose props and
    /// callbacks are equal need not be updated.
    ///
    /// **Values that a body captures without naming them are not part of the callback's identity.** The identity
    /// consists of the call site (file, line and column) and the values that the callback names. The rows of a list
    /// create their callbacks on one line. If they captured the row's id silently, the callbacks of all rows would be
    /// equal, and a view that was kept because "nothing changed" would keep calling for another row. Name the id:
    ///
    /// ```swift
    /// ViewCallback(capturing: note.id, to: dispatcher) { id, title in
    ///     await dispatcher.dispatch(Notes.Action.rename(id, title))
    /// }
    /// ```
    ///
    /// The form without `capturing` is for bodies whose captures never change for that call site. The form that sends
    /// an action is identified by the action's value and the store.
    ///
    /// - Isolation: None. A callback can be created, compared and called anywhere. A body runs on the actor to which it
    ///   belongs (`{ @MainActor in … }`), otherwise on none.
    /// - Ordering: Fired callbacks that name the same store begin in the order in which they were fired. Each one runs
    ///   up to its first suspension before the next one begins, whichever actors their bodies belong to. The actions
    ///   that the bodies dispatch first are therefore reduced in that order; what follows a suspension is not ordered.
    ///   A callback names its store with `to:`, by capturing the store's dispatcher, or by sending an action. Callbacks
    ///   that name no store share one order. Callbacks of different stores never wait for each other.
    ///
    ///   A body that takes long to reach its first suspension delays those behind it. A run that it performs starts in
    ///   a task of its own, and delays nothing.
    ///
    ///   On the main actor, the action of a callback that sends one has been reduced when `fire` returns, and view
    ///   states show the result, as after `dispatchNow`. Away from the main actor and inside a store, it is sent before
    ///   `fire` returns. If bodies that were fired earlier have yet to begin, it is sent after their first actions have
    ///   been reduced. Not promised: a body that has begun may still be waiting for the store, and an action that is
    ///   sent at that moment may be reduced first.
    /// - Cancellation: Calling awaits the body in the caller's task, or the runs that a sent action triggers, which
    ///   continue if that task is cancelled. A fired body runs in a task of its own, which is never cancelled.
    /// - Lifetime: A callback keeps what its body captures. A dispatcher keeps no store alive.
    public struct ViewCallback<Input: Sendable>: Sendable, Hashable, Identifiable {
        /// The identity of the callback: equal ones are equal callbacks.
        public let id: CallbackIdentity

        let body: Body
        let order: CallbackOrder

        enum Body: Sendable {
            case run(CallbackBody<Input>)
            /// Brings an action into the store, which needs no task.
            case send(CallbackAction<Input>)
            case nothing
        }

        init(id: CallbackIdentity, in order: CallbackOrder, _ body: Body) {
            self.id = id
            self.order = order
            self.body = body
        }

        /// Creates a callback from a body whose captures never change for this call site.
        ///
        /// The body of a callback without input takes no parameter: `ViewCallback { await store.shutdown() }`.
        ///
        /// - Parameters:
        ///   - dispatcher: Names the store in whose order the callback is fired. It is part of the identity.
        ///   - body: What to do with the input.
        public init(
            to dispatcher: Relux.Dispatcher = .none,
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ body: @escaping @isolated(any) @Sendable (Input) async -> Void
        ) {
            self.init(
                id: CallbackIdentity(fileID, line, column, to: dispatcher), in: CallbackOrder(dispatcher),
                .run(CallbackBody(on: body.isolation) { input in await body(input) })
            )
        }

        /// Creates a callback from a body that receives what it captures.
        ///
        /// Without an input, the second parameter is nothing: `{ id, _ in … }`.
        ///
        /// - Parameters:
        ///   - captured: A value that the body needs. It is part of the identity. To name several values, use an array
        ///     or a struct. A dispatcher also names the store.
        ///   - dispatcher: Names the store in whose order the callback is fired. It is part of the identity.
        ///   - body: What to do with the captured value and the input.
        public init<Captured: Hashable & Sendable>(
            capturing captured: Captured, to dispatcher: Relux.Dispatcher = .none,
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ body: @escaping @isolated(any) @Sendable (Captured, Input) async -> Void
        ) {
            self.init(
                id: CallbackIdentity(fileID, line, column, to: dispatcher).capturing(captured),
                in: CallbackOrder(dispatcher, orNamedBy: captured),
                .run(CallbackBody(on: body.isolation) { input in await body(captured, input) })
            )
        }

        /// Creates a callback that sends an action, made from the input.
        ///
        /// ```swift
        /// ViewCallback(to: dispatcher, sending: { id in Items.Action.complete(id) })
        /// ```
        ///
        /// Without an input, the closure takes no parameter.
        ///
        /// - Parameters:
        ///   - dispatcher: Receives the action. It is part of the identity, with the call site.
        ///   - make: Makes the action, and nothing else. Its captures must never change for this call site.
        public init<A: Relux.Action>(
            to dispatcher: Relux.Dispatcher, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            sending make: @escaping @Sendable (Input) -> A
        ) {
            self.init(
                id: CallbackIdentity(fileID, line, column, to: dispatcher), in: CallbackOrder(dispatcher),
                .send(CallbackAction(to: dispatcher, at: Relux.CallSite(fileID: fileID, line: line), make))
            )
        }

        /// Creates a callback that sends an action, made from the input and what the callback captures.
        ///
        /// Without an input, the second parameter is nothing: `{ id, _ in … }`. An action that is `Hashable` needs no
        /// closure: ``init(sending:to:fileID:line:)``.
        ///
        /// - Parameters:
        ///   - captured: A value that the action needs. It is part of the identity.
        ///   - dispatcher: Receives the action. It is part of the identity, with the call site.
        ///   - make: Makes the action, and nothing else.
        public init<Captured: Hashable & Sendable, A: Relux.Action>(
            capturing captured: Captured, to dispatcher: Relux.Dispatcher,
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            sending make: @escaping @Sendable (Captured, Input) -> A
        ) {
            self.init(
                id: CallbackIdentity(fileID, line, column, to: dispatcher).capturing(captured),
                in: CallbackOrder(dispatcher),
                .send(
                    CallbackAction(to: dispatcher, at: Relux.CallSite(fileID: fileID, line: line)) { input in
                        make(captured, input)
                    }
                )
            )
        }

        /// A callback that does nothing, for previews and for views whose callback is not needed.
        public static var noop: ViewCallback {
            ViewCallback(id: .noop, in: CallbackOrder(.none), .nothing)
        }

        /// A callback that converts its input to the input of this one.
        ///
        /// - Parameter transform: Makes the input of this callback. Its captures are not part of the identity.
        /// - Returns: A callback that is identified by this one and the call site.
        public func map<Other: Sendable>(
            fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            _ transform: @escaping @Sendable (Other) -> Input
        ) -> ViewCallback<Other> {
            mapped(id.mapped(at: CallbackIdentity(fileID, line, column)), transform)
        }

        /// A callback that converts its input to the input of this one, with the help of a captured value.
        ///
        /// - Parameters:
        ///   - captured: A value that the transform needs. It is part of the identity.
        ///   - transform: Makes the input of this callback from the captured value and the other input.
        /// - Returns: A callback that is identified by this one, the call site and the captured value.
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
            case .run(let body): ViewCallback<Other>(id: id, in: order, .run(body.map(transform)))
            case .send(let action): ViewCallback<Other>(id: id, in: order, .send(action.map(transform)))
            case .nothing: ViewCallback<Other>(id: id, in: order, .nothing)
            }
        }

        /// Whether both callbacks have the same identity. Bodies can't be compared.
        public static func == (lhs: ViewCallback, rhs: ViewCallback) -> Bool {
            lhs.id == rhs.id
        }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(id)
        }
    }
}

extension Relux.UI.ViewCallback where Input == Void {
    /// Creates a callback that sends an action.
    ///
    /// Its identity is the action's value and the store, so two such callbacks for the same action and store are equal,
    /// wherever they are created. The action's record names this call site.
    public init(
        sending action: some Relux.Action & Hashable, to dispatcher: Relux.Dispatcher,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            id: Relux.UI.CallbackIdentity(sending: action, to: dispatcher), in: Relux.UI.CallbackOrder(dispatcher),
            .send(CallbackAction(to: dispatcher, at: Relux.CallSite(fileID: fileID, line: line)) { _ in action })
        )
    }
}
