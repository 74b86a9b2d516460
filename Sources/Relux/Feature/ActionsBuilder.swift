extension Relux {
    /// Lists actions of any types. Supports `if`, `else`, `switch`, `for`, `#available`, and arrays.
    ///
    /// The closure is executed once, where the caller is isolated, before anything is reduced.
    @resultBuilder
    public enum ActionsBuilder {
        /// A part of the list: one action, or a list of actions in a wrapper that only this builder knows.
        ///
        /// A component is itself an action, so the components of a loop already form the list and needn't be copied.
        public typealias Component = any Action

        /// Makes a component of one action.
        public static func buildExpression(_ action: any Action) -> Component {
            action
        }

        /// Makes a component of an array of actions of any types.
        public static func buildExpression(_ actions: [any Action]) -> Component {
            ActionList(actions: actions)
        }

        /// Makes a component of an array of actions of one type.
        public static func buildExpression<A: Action>(_ actions: [A]) -> Component {
            ActionList(actions: actions)
        }

        /// Concatenates the components of a block.
        public static func buildBlock(_ components: Component...) -> Component {
            buildArray(components)
        }

        /// Passes on the only component of a block.
        public static func buildBlock(_ component: Component) -> Component {
            component
        }

        /// Returns the component of an `if` without `else`, or an empty list.
        public static func buildOptional(_ component: Component?) -> Component {
            component ?? ActionList(actions: [])
        }

        /// Passes on the first branch.
        public static func buildEither(first component: Component) -> Component {
            component
        }

        /// Passes on the second branch.
        public static func buildEither(second component: Component) -> Component {
            component
        }

        /// Concatenates the components of a loop.
        public static func buildArray(_ components: [Component]) -> Component {
            guard components.contains(where: { isList($0) }) else { return ActionList(actions: components) }
            return ActionList(actions: components.flatMap { actions(of: $0) })
        }

        /// Passes on the component behind `#available`.
        public static func buildLimitedAvailability(_ component: Component) -> Component {
            component
        }

        /// Returns the actions of the whole list, in order.
        public static func buildFinalResult(_ component: Component) -> [any Action] {
            actions(of: component)
        }

        /// Several actions as one component.
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
}

extension Relux {
    /// How `actions { }` executes its actions.
    public enum Execution: Sendable, Hashable {
        /// Each action, and all the work that it triggered, finishes before the next action is reduced.
        case serially
        /// The actions are reduced in order, without waiting for the work that they trigger, which runs concurrently.
        case concurrently
    }
}
