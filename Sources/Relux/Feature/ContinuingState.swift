extension Relux {
    /// A state that passes something on to the value that replaces it, such as the ids that must never be used again.
    ///
    /// A reset restores the initial value of a state, and an undo an earlier value. An id that is counted in the value
    /// would then be used a second time, and what still refers to the first use would find the second one. The store
    /// and ``Undoable`` therefore let the restored value carry on from the one that it replaces. ``Navigation/Stack``
    /// and ``Navigation/Tabs`` are such states. A state that contains one of them, or that counts ids itself, conforms
    /// as well:
    ///
    /// ```swift
    /// extension Shop.State: Relux.ContinuingState {
    ///     mutating func carryOn(from replaced: Self) {
    ///         pages.carryOn(from: replaced.pages)
    ///         lastOrder = max(lastOrder, replaced.lastOrder)
    ///     }
    /// }
    /// ```
    public protocol ContinuingState: State {
        /// Carries on what must not start over, such as a counter of ids. The receiver has just been restored, by a
        /// reset or an undo.
        ///
        /// It must be pure, like a reducer, and is called like one: inside the store, in the step that replaces the
        /// value.
        ///
        /// - Parameter replaced: The value that the receiver replaces.
        mutating func carryOn(from replaced: Self)

        /// Carries on what must not start over when the module is registered once more. Implement it if the state also
        /// counts what is shown, which is then over. The default does the same as ``carryOn(from:)``.
        ///
        /// - Parameter removed: A value that carries on from the last one of the registration before. No screen
        ///   shows it any more.
        mutating func carryOn(fromRemoved removed: Self)
    }
}

extension Relux.ContinuingState {
    /// Does the same as ``carryOn(from:)``.
    public mutating func carryOn(fromRemoved removed: Self) { carryOn(from: removed) }
}

extension Relux.State {
    /// Carries on from an earlier value, if the state is a ``Relux/ContinuingState``.
    ///
    /// - Parameter isRemoved: Whether nothing shows that value any more.
    mutating func carryOnIfContinuing(from earlier: Self, isRemoved: Bool = false) {
        func carriedOn<C: Relux.ContinuingState>(_ state: C) -> Self? {
            var state = state
            guard let earlier = earlier as? C else { return nil }
            if isRemoved { state.carryOn(fromRemoved: earlier) } else { state.carryOn(from: earlier) }
            return state as? Self
        }
        if let state = self as? any Relux.ContinuingState, let continued = carriedOn(state) { self = continued }
    }
}
