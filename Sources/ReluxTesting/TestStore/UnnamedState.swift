import Relux

/// Stands for the state in steps that don't name one. It exists only for the sake of the compiler's messages.
///
/// Its members accept everything that a closure may do to a state, so that the compiler chooses the unavailable verbs
/// below. Their messages say what to write. The type has no values.
@dynamicMemberLookup
@dynamicCallable
public enum UnnamedState {
    /// Stands for a property whose type is known from its use.
    public subscript<Value>(dynamicMember member: String) -> Value {
        get { switch self {} }
        set {}
    }

    /// Stands for a property of which something is used.
    public subscript(dynamicMember member: String) -> UnnamedState {
        get { switch self {} }
        set {}
    }

    /// Stands for a property that becomes nil.
    public subscript(dynamicMember member: String) -> Never? {
        get { switch self {} }
        set {}
    }

    /// Stands for an element whose type is known from its use.
    public subscript<Value>(position: Any) -> Value {
        get { switch self {} }
        set {}
    }

    /// Stands for an element of which something is used.
    public subscript(position: Any) -> UnnamedState {
        get { switch self {} }
        set {}
    }

    /// Stands for an element of ``Relux/Relux/Entities``.
    public subscript(id id: Any) -> UnnamedState? {
        get { switch self {} }
        set {}
    }

    /// Stands for the call of a method.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> UnnamedState {
        switch self {}
    }
}

/// Stands for an action such as `.up` whose state isn't named. It exists only for the sake of the compiler's messages.
public enum ActionOfUnnamedState {}

extension TestStore {
    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `dispatch(.up, to: Counter.State.self) { $0.count = 1 }`.")
    public nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, _ change: (inout UnnamedState) -> Void
    ) async {}

    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `dispatch(.up, to: Counter.State.self)`.")
    public nonisolated(nonsending) func dispatch(
        _ action: ActionOfUnnamedState, _ change: ((inout UnnamedState) -> Void)? = nil
    ) async {}

    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `receive(.up, in: Counter.State.self) { $0.count = 1 }`.")
    public nonisolated(nonsending) func receive(
        _ action: some Relux.Action, _ change: (inout UnnamedState) -> Void
    ) async {}
}

extension TestStore.Scope {
    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `dispatch(.up, to: Counter.State.self) { $0.count = 1 }`.")
    public nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, _ change: (inout UnnamedState) -> Void
    ) async {}

    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `dispatch(.up, to: Counter.State.self)`.")
    public nonisolated(nonsending) func dispatch(
        _ action: ActionOfUnnamedState, _ change: ((inout UnnamedState) -> Void)? = nil
    ) async {}

    /// Doesn't exist: an action alone doesn't determine its state.
    @available(*, unavailable, message: "Name the state: `receive(.up, in: Counter.State.self) { $0.count = 1 }`.")
    public nonisolated(nonsending) func receive(
        _ action: some Relux.Action, _ change: (inout UnnamedState) -> Void
    ) async {}
}
