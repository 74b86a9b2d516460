extension Relux.ModuleDescription {
    /// The action of an instance that a ``Relux/ChildAction`` wraps, at any depth, with the module of the instance.
    ///
    /// - Returns: Nil for another type of action.
    package static func inner(
        of action: any Relux.Action.Type
    ) -> (action: any Relux.Action.Type, module: any Relux.Module.Type)? {
        childActions(in: action).last.map { ($0.innerType, $0.module) }
    }

    /// An instance without the scope around it.
    package struct Instance: Sendable {
        let module: any Relux.Module.Type
        let id: AnySendableHashable

        /// - Returns: Nil for the root.
        package init?(_ scope: Relux.Scope) {
            guard let address = scope.address else { return nil }
            (module, id) = (address.module, address.id)
        }
    }

    /// Nested types of actions that name an instance, from the outside in.
    fileprivate static func childActions(in action: any Relux.Action.Type) -> [any AnyChildAction.Type] {
        Array(sequence(first: action) { ($0 as? any AnyChildAction.Type)?.innerType })
            .compactMap { $0 as? any AnyChildAction.Type }
    }
}

extension Relux.ModuleDescription.Reduction {
    /// An action of an instance in the form in which the reducer takes it in a scope around the instance.
    ///
    /// - Parameter instances: The instance that took the action, and those around it as far as the scope of the
    ///   reducer, from the inside out.
    /// - Returns: Nil if the reducer takes another action, or takes it elsewhere.
    package func childAction(
        of inner: any Relux.Action, from instances: some Collection<Relux.ModuleDescription.Instance>
    ) -> (any Relux.Action)? {
        let types = Relux.ModuleDescription.childActions(in: action)
        guard !types.isEmpty, types.count == instances.count else { return nil }
        return zip(types.reversed(), instances).reduce(inner) { inner, level in
            let (type, instance) = level
            guard let inner, type.module == instance.module else { return nil }
            return type.wrap(inner, ofInstance: instance.id)
        }
    }
}
