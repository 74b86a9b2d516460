import Relux

extension Relux.Navigation.Stack {
    /// Returns whether a page is anywhere on the stack, visible or covered.
    ///
    /// - Complexity: O(*n*) in the number of pages.
    func contains(_ page: Page) -> Bool {
        path.contains(page) || modals.contains { $0.page == page || $0.path.contains(page) }
    }
}
