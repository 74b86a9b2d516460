extension Relux.UI {
    /// The order in which the callbacks of one store begin when they are fired.
    struct CallbackOrder: Sendable, Hashable {
        /// Identifies the store. ``Relux/Dispatcher/none`` stands for the order that callbacks without a store share.
        let dispatcher: Relux.Dispatcher

        init(_ dispatcher: Relux.Dispatcher) {
            // The scopes of a store share one order.
            self.dispatcher = dispatcher.root
        }

        /// The order of the given store or, if none is given, of the store that a captured dispatcher names.
        init(_ dispatcher: Relux.Dispatcher, orNamedBy captured: some Hashable & Sendable) {
            self.init(dispatcher == .none ? captured as? Relux.Dispatcher ?? .none : dispatcher)
        }

        // Callbacks are values, so no object could own the line of a store. A line is removed when it is idle. It holds
        // a dispatcher, which doesn't keep the store alive.
        private static let lines = Lock(CallbackLines<CallbackOrder, @Sendable () -> Void>())

        /// Whether every call has begun.
        var isIdle: Bool { Self.lines.withLock { $0.isIdle(self) } }

        /// Lets a call begin when all calls before it have begun.
        ///
        /// - Parameter begin: Starts the call without waiting for it. When the call has begun, it calls ``advance()``.
        func enter(_ begin: @escaping @Sendable () -> Void) {
            Self.lines.withLock { $0.enter(begin, self) }?()
        }

        /// Sends an action when all calls before it have begun, and lets the next call begin when it is sent.
        ///
        /// - Parameter send: Sends the action to the store that ``dispatcher`` identifies.
        func enterSending(_ send: @escaping @Sendable () -> Void) {
            let (turn, hasTurn) = AsyncStream.makeStream(of: Never.self)
            Task(priority: .userInitiated) {
                for await _ in turn {}
                // The bodies before this call have begun, but may still be waiting for the store, and a send would
                // overtake them. An empty batch waits behind them.
                await dispatcher.dispatch(contentsOf: EmptyCollection<Never>())
                send()
                advance()
            }
            enter { hasTurn.finish() }
        }

        /// Calls a closure when the action that was just sent has been reduced.
        func afterSending(_ completion: (@Sendable () -> Void)?) {
            guard let completion else { return }
            Task(priority: .userInitiated) {
                // An empty batch is reduced after everything that was sent before.
                await dispatcher.dispatch(contentsOf: EmptyCollection<Never>())
                completion()
            }
        }

        /// Notes that the first call has begun, and lets the next one begin.
        func advance() {
            Self.lines.withLock { $0.advance(self) }?()
        }
    }
}
