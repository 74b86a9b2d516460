extension Relux {
    /// A feature: what it owns, what it runs, what it needs.
    ///
    /// A module is identified by its type: a store holds one instance of each module type. Its properties are read
    /// once, inside the store, when the module is registered. They should do no more than create plain values.
    /// Registering the type again adds an owner and keeps the first instance.
    public protocol Module: Sendable {
        /// The states that the module owns, each with its initial value. The default is none.
        var states: [any State] { get }

        /// Reducers for actions of other features, for states of this module or of modules that it depends on. The
        /// default is none.
        var reducers: [Reducer] { get }

        /// The sagas that the module runs. The default is none.
        var sagas: [any Saga] { get }

        /// The flows that the module runs. The default is none.
        var flows: [any Flow] { get }

        /// The watchers that start and end with the module. The default is none.
        var watchers: [any Watcher] { get }

        /// The modules that this one needs. The default is none.
        ///
        /// They are registered before it and live as long as any module needs them.
        var dependencies: [any Module] { get }
    }
}

extension Relux.Module {
    /// No states.
    public var states: [any Relux.State] { [] }

    /// No reducers.
    public var reducers: [Relux.Reducer] { [] }

    /// No sagas.
    public var sagas: [any Relux.Saga] { [] }

    /// No flows.
    public var flows: [any Relux.Flow] { [] }

    /// No watchers.
    public var watchers: [any Relux.Watcher] { [] }

    /// No dependencies.
    public var dependencies: [any Relux.Module] { [] }
}
