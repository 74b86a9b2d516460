extension Relux {
    /// Lists modules. Supports `if`, `else`, `switch`, `for`, `#available`, and arrays.
    @resultBuilder
    public enum ModuleBuilder {
        /// Makes a list of one module.
        public static func buildExpression(_ module: any Module) -> [any Module] { [module] }

        /// Passes on an array of modules.
        public static func buildExpression(_ modules: [any Module]) -> [any Module] { modules }

        /// Concatenates the lists of a block.
        public static func buildBlock(_ components: [any Module]...) -> [any Module] { components.flatMap(\.self) }

        /// Returns the list of an `if` without `else`, or an empty list.
        public static func buildOptional(_ component: [any Module]?) -> [any Module] { component ?? [] }

        /// Passes on the first branch.
        public static func buildEither(first component: [any Module]) -> [any Module] { component }

        /// Passes on the second branch.
        public static func buildEither(second component: [any Module]) -> [any Module] { component }

        /// Concatenates the lists of a loop.
        public static func buildArray(_ components: [[any Module]]) -> [any Module] { components.flatMap(\.self) }

        /// Passes on the list behind `#available`.
        public static func buildLimitedAvailability(_ component: [any Module]) -> [any Module] { component }
    }
}
