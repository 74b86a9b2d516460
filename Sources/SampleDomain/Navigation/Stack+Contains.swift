import Relux

extension Relux.Navigation.Stack {
    /// Whether a page lies anywhere on the stack, seen or covered.
    ///
    /// - Parameter page: The page.
    /// - Returns: Whether it does.
    /// - Complexity: O(*n*) in the number of pages.
    func contains(_ page: Page) -> Bool {
        path.contains(page) || modals.contains { $0.page == page || $0.path.contains(page) }
    }
}
