extension Relux {
    /// Lists actions of any types, with `if`, `else`, `switch`, `for`, `#available` and arrays.
    ///
    /// The closure is run once, where the caller is isolated, before anything is reduced.
    @resultBuilder
    public enum ActionsBuilder {
        /// A part of the list.
        public struct Component {
            // One action needs no array: that saves an allocation an action.
            fileprivate enum Content {
                case one(any Action)
                case many([any Action])
            }

            fileprivate let content: Content
        }

        /// One action.
        ///
        /// - Parameter action: The action.
        /// - Returns: The part.
        public static func buildExpression(_ action: any Action) -> Component {
            Component(content: .one(action))
        }

        /// Actions of any types.
        ///
        /// - Parameter actions: The actions, in order.
        /// - Returns: The part.
        public static func buildExpression(_ actions: [any Action]) -> Component {
            Component(content: .many(actions))
        }

        /// Actions of one type.
        ///
        /// - Parameter actions: The actions, in order.
        /// - Returns: The part.
        public static func buildExpression<A: Action>(_ actions: [A]) -> Component {
            Component(content: .many(actions))
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
            component ?? Component(content: .many([]))
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
            var actions: [any Action] = []
            actions.reserveCapacity(components.count)
            for component in components {
                switch component.content {
                case .one(let action): actions.append(action)
                case .many(let more): actions.append(contentsOf: more)
                }
            }
            return Component(content: .many(actions))
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
            switch component.content {
            case .one(let action): [action]
            case .many(let actions): actions
            }
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
