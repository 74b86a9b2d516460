extension Relux {
    /// A feature: what it owns, what it runs, what it needs.
    ///
    /// A module is identified by its type: a scope holds one module of each type. A module that is `Identifiable` can
    /// exist once for each id: each of its instances is a ``Scope`` with its own states, runs, and streams. A feature
    /// is written once, and doesn't need to know whether it is one of many.
    ///
    /// A module's properties are read once, inside the store, when it is registered. They should do no more than create
    /// plain values. If the same type (and id) is registered again, the first module stays and gets another owner.
    ///
    /// A module with ``persistence`` is connected when its states have been loaded, in a later step than the one that
    /// asks for it. Until then, it doesn't exist, and readers of its scope wait.
    public protocol Module: Sendable {
        /// The states that the module owns, each with its initial value. The default is none.
        var states: [any State] { get }

        /// Reducers for actions of other features, for states of this module or of modules that it depends on. The
        /// default is none.
        var reducers: [Reducer] { get }

        /// The sagas that the module runs. The default is none.
        var sagas: [any Saga] { get }

        /// The rules that respond to actions with further actions, in the same step. The default is none.
        var rules: [Rule] { get }

        /// The flows that the module runs. The default is none.
        var flows: [any Flow] { get }

        /// The watchers that start and end with the module. The default is none.
        var watchers: [any Watcher] { get }

        /// The modules that this one needs. The default is none.
        ///
        /// They are registered before it and live as long as any module needs them. Those of an instance are looked up
        /// in the scopes around it first, among the modules of the same call as well, in any order, and registered
        /// inside it if they are not found. A dependency on another instance of the same type must exist already.
        var dependencies: [any Module] { get }

        /// The types of modules that must be registered. The default is none.
        ///
        /// They are looked up from the module's scope outward, and among the modules of the same registration, in any
        /// order. If this module is registered in an instance, the instance's own module counts too. Like a dependency,
        /// a required module lives as long as any module needs it, and its states may be reduced here. If it is
        /// missing, registration fails.
        var requires: [any Module.Type] { get }

        /// The instances that follow a state of this module, or of one that it needs. The default is none.
        var children: [Children] { get }

        /// The actions that are dispatched in the module's scope when it is connected, such as the effect that loads
        /// what a page shows. The default is none.
        ///
        /// Neither a reset, nor a replacement, nor a second registration dispatches them again.
        ///
        /// - Ordering: On a registration, they follow when all modules of the call are connected, those of dependencies
        ///   first, and nobody sees the store before. `register` and `attach` don't wait for what they trigger; `idle`
        ///   does. Those of an instance that follows a state (``children``) belong to the step that opens it: they come
        ///   after the rules of the action that has opened it, from the outside in, and before the next action of a
        ///   batch. They are part of its receipt, so `dispatch(push).finished()` waits for what a page loads. They
        ///   don't count towards the actions that rules may add, unless such an action has opened the instance. If the
        ///   step closes the instance first, they are not dispatched. An instance with ``persistence`` opens in a later
        ///   step, when its states are loaded.
        var openingActions: [any Action] { get }

        /// How states of this module are loaded before it starts, and saved as they change. Lists at most one
        /// persistence for each of the module's own states. The default is none.
        var persistence: [any StatePersistence] { get }
    }
}

extension Relux.Module {
    /// No states.
    public var states: [any Relux.State] { [] }

    /// No reducers.
    public var reducers: [Relux.Reducer] { [] }

    /// No rules.
    public var rules: [Relux.Rule] { [] }

    /// No sagas.
    public var sagas: [any Relux.Saga] { [] }

    /// No flows.
    public var flows: [any Relux.Flow] { [] }

    /// No watchers.
    public var watchers: [any Relux.Watcher] { [] }

    /// No dependencies.
    public var dependencies: [any Relux.Module] { [] }

    /// No required modules.
    public var requires: [any Relux.Module.Type] { [] }

    /// No children.
    public var children: [Relux.Children] { [] }

    /// Nothing is dispatched.
    public var openingActions: [any Relux.Action] { [] }

    /// Nothing is loaded or saved.
    public var persistence: [any Relux.StatePersistence] { [] }
}

extension Relux.Module {
    /// The id of the instance; nil for a module without one.
    var instanceID: AnySendableHashable? {
        func id<M: Relux.Module & Identifiable>(of module: M) -> AnySendableHashable {
            AnySendableHashable(unchecked: module.id)
        }
        return (self as? any Relux.Module & Identifiable).map { id(of: $0) }
    }
}
