extension Relux.UI.ViewCallback {
    /// Runs the body and returns when it has ended.
    ///
    /// - Parameter input: What the view knows.
    public nonisolated(nonsending) func callAsFunction(_ input: Input) async {
        switch body {
        case .run(let run): await run(input)
        case .send(let send): send(input)
        case .nothing: break
        }
    }

    /// Runs the body with several arguments and returns when it has ended.
    ///
    /// - Parameters:
    ///   - first: The first argument.
    ///   - second: The second one.
    ///   - rest: Further ones, if the input has more parts.
    public nonisolated(nonsending) func callAsFunction<First, Second, each Rest>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) async where Input == (First, Second, repeat each Rest) {
        await self((first, second, repeat each rest))
    }

    /// Starts the body and returns at once, for buttons.
    ///
    /// Bodies begin in the order of the calls, those that belong to an actor of their own in the order of these. An
    /// action to send has been sent when this returns; it doesn't wait for bodies.
    ///
    /// - Parameter input: What the view knows.
    public func fire(_ input: Input) {
        switch body {
        case .run(let run):
            // The task is put in the line of its actor right here, so that the order of the calls is the order in which
            // the bodies begin; one priority for all keeps it. An actor is left only when the next one has been entered
            // or waited for in line, so that the order holds as far as a store that the body dispatches to first.
            Task(priority: .userInitiated) { @CallbackLine in await run(input) }
        case .send(let send):
            send(input)
        case .nothing:
            break
        }
    }

    /// Starts the body with several arguments and returns at once.
    ///
    /// - Parameters:
    ///   - first: The first argument.
    ///   - second: The second one.
    ///   - rest: Further ones, if the input has more parts.
    public func fire<First, Second, each Rest>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) where Input == (First, Second, repeat each Rest) {
        fire((first, second, repeat each rest))
    }
}

extension Relux.UI.ViewCallback where Input == Void {
    /// Runs the body and returns when it has ended.
    public nonisolated(nonsending) func callAsFunction() async {
        await self(())
    }

    /// Starts the body and returns at once, for buttons. Bodies begin in the order of the calls.
    public func fire() {
        fire(())
    }
}

/// Where fired bodies begin, one after the other.
@globalActor
private actor CallbackLine {
    static let shared = CallbackLine()
}
