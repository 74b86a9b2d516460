extension Relux.UI.ViewCallback {
    /// Runs the body and returns when it has ended. If the callback sends an action, returns when what this has
    /// triggered has ended, so a list keeps its spinner in `.refreshable { await callbacks.refresh() }`.
    ///
    /// - Cancellation: The body runs in the caller's task. The runs that a sent action has triggered continue, and this
    ///   returns at once.
    /// - Parameter input: The value that the view passes to the body.
    public nonisolated(nonsending) func callAsFunction(_ input: Input) async {
        switch body {
        case .run(let body): await body.call(input)
        case .send(let action): await action.call(input)
        case .nothing: break
        }
    }

    /// Runs the body with several arguments and returns when it has ended.
    public nonisolated(nonsending) func callAsFunction<First, Second, each Rest>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) async where Input == (First, Second, repeat each Rest) {
        await self((first, second, repeat each rest))
    }

    /// Starts the body and returns immediately. Intended for buttons.
    ///
    /// Callbacks of one store begin in the order of these calls, as do callbacks that name no store. On the main actor,
    /// the action of a callback that sends one has been reduced when this returns, so
    /// `withAnimation { callbacks.complete.fire(id) }` animates it. Elsewhere, and inside a store, it has been sent. If
    /// bodies that were fired earlier to the same store have yet to begin, the action follows them.
    ///
    /// - Parameter input: The value that the view passes to the body.
    public func fire(_ input: Input) {
        fire(input, then: nil)
    }

    /// Starts the body and returns immediately.
    ///
    /// - Parameter completion: Called when the body has ended, or the action has been reduced.
    func fire(_ input: Input, then completion: (@Sendable () -> Void)?) {
        switch body {
        case .run(let body): body.fire(input, in: order, then: completion)
        case .send(let action) where order.isIdle:
            if action.fire(input) { completion?() } else { order.afterSending(completion) }
        case .send(let action):
            order.enterSending {
                action.send(input)
                order.afterSending(completion)
            }
        case .nothing: completion?()
        }
    }

    /// Starts the body with several arguments and returns immediately.
    public func fire<First, Second, each Rest>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) where Input == (First, Second, repeat each Rest) {
        fire((first, second, repeat each rest))
    }
}

extension Relux.UI.ViewCallback where Input == Void {
    /// Runs the body, or brings the action into the store, and returns when that has ended, as
    /// ``callAsFunction(_:)`` does.
    public nonisolated(nonsending) func callAsFunction() async {
        await self(())
    }

    /// Starts the body and returns immediately, as ``fire(_:)`` does.
    public func fire() {
        fire(())
    }
}
