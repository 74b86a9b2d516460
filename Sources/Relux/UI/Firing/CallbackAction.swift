/// An action that a callback brings into a store.
struct CallbackAction<Input: Sendable>: Sendable {
    private let dispatcher: Relux.Dispatcher
    private let bring: @Sendable (Input, _ isNow: Bool) -> Void
    /// Brings the action into the store, and waits for what it triggers.
    let call: CallbackBody<Input>.Call

    init<A: Relux.Action>(
        to dispatcher: Relux.Dispatcher, at site: Relux.CallSite, _ make: @escaping @Sendable (Input) -> A
    ) {
        self.dispatcher = dispatcher
        call = { input in await dispatcher.handle.dispatch(make(input), at: site).finished() }
        bring = { input, isNow in
            if isNow {
                _ = dispatcher.handle.dispatchNow(make(input), at: site)
            } else {
                dispatcher.handle.send(make(input), at: site)
            }
        }
    }

    private init(
        to dispatcher: Relux.Dispatcher, _ bring: @escaping @Sendable (Input, Bool) -> Void,
        _ call: @escaping CallbackBody<Input>.Call
    ) {
        (self.dispatcher, self.bring, self.call) = (dispatcher, bring, call)
    }

    /// The same action for another input.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Input) -> CallbackAction<Other> {
        CallbackAction<Other>(
            to: dispatcher, { [bring] input, isNow in bring(transform(input), isNow) },
            { input in await call(transform(input)) }
        )
    }

    func send(_ input: Input) { bring(input, false) }

    /// Brings the action into the store.
    ///
    /// - Returns: Whether it has been reduced, as it has on the main actor. Otherwise, it was sent.
    func fire(_ input: Input) -> Bool {
        let isNow = dispatcher.handle.isOnMainActor
        bring(input, isNow)
        return isNow
    }
}
