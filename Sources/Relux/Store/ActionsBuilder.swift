extension Relux {
    /// Lists actions of any types, with `if`, `else`, `switch`, `for`, `#available` and arrays.
    ///
    /// The closure is run once, where the caller is isolated, before anything is reduced.
    @resultBuilder
    public enum ActionsBuilder {
        /// A part of the list: one action, or a list of them that only this builder knows.
        ///
        /// Parts are actions themselves, so that the parts of a loop are the list already, and nothing is copied.
        public typealias Component = any Action

        /// One action.
        ///
        /// - Parameter action: The action.
        /// - Returns: The part.
        public static func buildExpression(_ action: any Action) -> Component {
            action
        }

        /// Actions of any types.
        ///
        /// - Parameter actions: The actions, in order.
        /// - Returns: The part.
        public static func buildExpression(_ actions: [any Action]) -> Component {
            ActionList(actions: actions)
        }

        /// Actions of one type.
        ///
        /// - Parameter actions: The actions, in order.
        /// - Returns: The part.
        public static func buildExpression<A: Action>(_ actions: [A]) -> Component {
            ActionList(actions: actions)
        }

        /// Parts one after the other.
        ///
        /// - Parameter components: The parts.
        /// - Returns: All of them.
        public static func buildBlock(_ components: Component...) -> Component {
            buildArray(components)
        }

        /// A lone part.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildBlock(_ component: Component) -> Component {
            component
        }

        /// The part of an `if` without `else`.
        ///
        /// - Parameter component: The part, or nil.
        /// - Returns: The part, or nothing.
        public static func buildOptional(_ component: Component?) -> Component {
            component ?? ActionList(actions: [])
        }

        /// The first branch.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildEither(first component: Component) -> Component {
            component
        }

        /// The other branch.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildEither(second component: Component) -> Component {
            component
        }

        /// The parts of a loop.
        ///
        /// - Parameter components: The parts, one a turn.
        /// - Returns: All of them.
        public static func buildArray(_ components: [Component]) -> Component {
            guard components.contains(where: { isList($0) }) else { return ActionList(actions: components) }
            return ActionList(actions: components.flatMap { actions(of: $0) })
        }

        /// The part behind `#available`.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildLimitedAvailability(_ component: Component) -> Component {
            component
        }

        /// The list.
        ///
        /// - Parameter component: All parts.
        /// - Returns: The actions, in order.
        public static func buildFinalResult(_ component: Component) -> [any Action] {
            actions(of: component)
        }

        /// Several actions as one part.
        private struct ActionList: Action {
            let actions: [any Action]
        }

        private static func isList<A: Action>(_ component: A) -> Bool {
            A.self == ActionList.self
        }

        private static func actions(of component: Component) -> [any Action] {
            (component as? ActionList)?.actions ?? [component]
        }
    }

    /// Lists modules, with `if`, `else`, `switch`, `for`, `#available` and arrays.
    @resultBuilder
    public enum ModuleBuilder {
        /// One module.
        ///
        /// - Parameter module: The module.
        /// - Returns: The part.
        public static func buildExpression(_ module: any Module) -> [any Module] { [module] }

        /// Modules in an array.
        ///
        /// - Parameter modules: The modules, in order.
        /// - Returns: The part.
        public static func buildExpression(_ modules: [any Module]) -> [any Module] { modules }

        /// Parts one after the other.
        ///
        /// - Parameter components: The parts.
        /// - Returns: All of them.
        public static func buildBlock(_ components: [any Module]...) -> [any Module] { components.flatMap(\.self) }

        /// The part of an `if` without `else`.
        ///
        /// - Parameter component: The part, or nil.
        /// - Returns: The part, or nothing.
        public static func buildOptional(_ component: [any Module]?) -> [any Module] { component ?? [] }

        /// The first branch.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildEither(first component: [any Module]) -> [any Module] { component }

        /// The other branch.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildEither(second component: [any Module]) -> [any Module] { component }

        /// The parts of a loop.
        ///
        /// - Parameter components: The parts, one a turn.
        /// - Returns: All of them.
        public static func buildArray(_ components: [[any Module]]) -> [any Module] { components.flatMap(\.self) }

        /// The part behind `#available`.
        ///
        /// - Parameter component: The part.
        /// - Returns: The same.
        public static func buildLimitedAvailability(_ component: [any Module]) -> [any Module] { component }
    }
}
