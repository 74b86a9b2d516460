extension Relux {
    /// How one state of a module is loaded before the module starts, and saved as it changes.
    ///
    /// A module lists its persistences in ``Module/persistence``. `Saved` of the product `ReluxPersistence` is the
    /// usual one. Write your own for a state that has a store of its own, such as a keychain.
    ///
    /// The store awaits ``load(into:)`` before it connects the module, so the module never starts before its values
    /// have been loaded. From then on, the store saves the newest value whenever ``isWorthSaving(_:_:)`` says that it
    /// differs from the last saved one.
    ///
    /// - Isolation: ``load(into:)``, ``save(_:)``, ``erase()``, ``setAside()``, and the stream of ``changes(since:)``
    ///   are executed outside the store, in tasks of the store, on its executor. Only ``isWorthSaving(_:_:)`` is called
    ///   inside the store.
    /// - Ordering: Saves and erasures of one state run one at a time, and none begins before the load has ended.
    /// - Cancellation: A load is cancelled with the call that registers the module, or when the child that it is for
    ///   has been removed from its parent's state. Saves and erasures are never cancelled.
    /// - Lifetime: Held until its module has been removed and the last save has ended.
    public protocol StatePersistence<S>: Sendable {
        /// The state that is loaded and saved.
        associatedtype S: State

        /// Loads the saved value.
        ///
        /// - Parameter initial: The initial value that the module lists, for the parts of the state that aren't saved.
        /// - Returns: The loaded value; nil if nothing has been saved yet.
        /// - Throws: ``LoadFailure`` if the value can't be loaded. The data must stay as they are; ``unreadable`` says
        ///   what happens next.
        func load(into initial: S) async throws(LoadFailure) -> S?

        /// Saves a value, so that a later load returns it. The value must be safe when this returns, even if the
        /// process is killed.
        ///
        /// - Throws: If the value could not be saved. The previously saved value must then still be available.
        func save(_ state: S) async throws

        /// Removes what was saved, so that a later load finds nothing.
        func erase() async throws

        /// Moves data that can't be read to another name, so that a later load finds nothing. Data that were set aside
        /// earlier are kept too.
        ///
        /// Others may have set the same data aside since the load, and saved: what can be read must stay. The store
        /// loads once more afterwards, and refuses the registration if that fails.
        func setAside() async throws

        /// Whether a changed value has to be saved. The default is `old != new`.
        ///
        /// Called inside the store: keep it short.
        ///
        /// - Parameters:
        ///   - old: The value that was last saved or loaded, or is being saved; if there is none, the initial value.
        ///   - new: The present value.
        func isWorthSaving(_ old: S, _ new: S) -> Bool

        /// How long a change may wait to be saved. The default is 250 milliseconds.
        var pace: SavingPace { get }

        /// The rule for a saved value that can't be loaded. The default is to refuse the registration.
        var unreadable: UnreadableRule { get }

        /// The rule for the saved data when the state is reset. By default, the initial value is saved.
        var onReset: SavedRule { get }

        /// The rule for the saved data when the module or the instance is removed. By default, they are kept.
        var onRemoval: SavedRule { get }

        /// The changes that others have saved, as actions of the state. The default is a stream that ends at once.
        ///
        /// The store first saves its own unsaved changes, so that none are lost if the action simply replaces the
        /// value. It then reduces the action in the state's scope. The result counts as saved if the state
        /// ``hasTakenIn(_:)`` what the action describes; what else the step changes is saved. Only after that does the
        /// store ask for the next action.
        ///
        /// - Parameter state: The value that the module started with. The stream begins with what others have saved
        ///   since then.
        func changes(since state: S) -> AsyncStream<S.Action>

        /// The same. A persistence that reads what others have saved, and may fail, implements this one instead.
        ///
        /// - Parameter onFailure: Reports an error of a read, with the number of attempts so far, and returns when it
        ///   is time for another attempt.
        func changes(
            since state: S, onFailure: @escaping @Sendable (_ error: any Error, _ attempt: Int) async -> Void
        ) -> AsyncStream<S.Action>

        /// Whether the last action of ``changes(since:)`` still describes what others have saved. The action had to
        /// wait for saves of this store, which may have made it obsolete. The default is true.
        ///
        /// Called inside the store, in the step that reduces the action: keep it short. No save is under way then, and
        /// every later save includes the action.
        func willTakeIn() -> Bool

        /// Whether the state reflects the last action of ``changes(since:)``, so that it counts as saved. If it
        /// doesn't, because a middleware or the reducer has ignored the action, the next save is a conflict, and must
        /// not overwrite what others have saved. The default is true: every state counts as having taken the action in.
        ///
        /// Called inside the store, in the step that reduces the action: keep it short.
        func hasTakenIn(_ state: S) -> Bool

        /// Takes over the knowledge of the persistence that this one replaces, such as the generation that it has saved
        /// last. The default does nothing.
        ///
        /// Called inside the store, while neither is loading or saving.
        func continues(_ other: any StatePersistence)

        /// The id under which the value is saved, if that tells instances apart. The default is nil.
        ///
        /// An id that a ``Navigation/Stack`` has counted is refused (``StoreError/savedByEntry(_:in:)``), unless the
        /// stack is saved as well: it begins again in each process.
        var instanceID: (any Hashable & Sendable)? { get }

        /// Identifies where the value is saved, so that two states of one store can't overwrite each other. The default
        /// is nil, which means unknown.
        var location: (any Hashable & Sendable)? { get }
    }
}

extension Relux.StatePersistence {
    /// Whether the values differ.
    public func isWorthSaving(_ old: S, _ new: S) -> Bool { old != new }

    /// At most 250 milliseconds after a change.
    public var pace: Relux.SavingPace { .within(.milliseconds(250)) }

    /// The registration is refused.
    public var unreadable: Relux.UnreadableRule { .refuse }

    /// The initial value is saved.
    public var onReset: Relux.SavedRule { .save }

    /// The saved data are kept.
    public var onRemoval: Relux.SavedRule { .keep }

    /// Nothing: nobody else saves the state.
    public func changes(since state: S) -> AsyncStream<S.Action> { AsyncStream { $0.finish() } }

    /// The changes without failures.
    public func changes(
        since state: S, onFailure: @escaping @Sendable (_ error: any Error, _ attempt: Int) async -> Void
    ) -> AsyncStream<S.Action> {
        changes(since: state)
    }

    /// Always: the action doesn't depend on what this store has saved.
    public func willTakeIn() -> Bool { true }

    /// Always: a state takes in whatever it is told.
    public func hasTakenIn(_ state: S) -> Bool { true }

    /// Nothing.
    public func continues(_ other: any Relux.StatePersistence) {}

    /// None.
    public var instanceID: (any Hashable & Sendable)? { nil }

    /// Not known.
    public var location: (any Hashable & Sendable)? { nil }
}
