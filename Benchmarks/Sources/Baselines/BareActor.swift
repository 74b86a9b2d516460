/// What the store is compared with: an actor that has the same state and switches over the same action, and does
/// nothing else.
///
/// It stands in a module of its own, and its method is never inlined, so that a call of it remains a call.
public actor BareActor {
    private var counter = Counter()

    /// Makes one at zero.
    public init() {}

    /// Changes the state.
    ///
    /// - Parameter action: What to do.
    @inline(never)
    public func apply(_ action: Counter.Action) {
        counter.reduce(action)
    }
}
