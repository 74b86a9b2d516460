/// The baseline of the store: an actor with the same state that switches over the same action and does nothing else.
///
/// It is in a separate module and its method is never inlined, so that a call to it remains a call.
public actor BareActor {
    private var counter = Counter()

    /// Creates an actor whose count is zero.
    public init() {}

    /// Changes the state.
    @inline(never)
    public func apply(_ action: Counter.Action) {
        counter.reduce(action)
    }
}
