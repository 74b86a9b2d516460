public import Relux

/// Where in the application somebody is.
///
/// There is one stack of pages for the whole application. A feature that shows a page adds a case to ``Page``, depends
/// on ``Module``, and dispatches actions of ``Stack``; it knows nothing of the other features' pages.
public enum Navigation {
    /// The pages that lie on top of each other.
    public typealias Stack = Relux.Navigation.Stack<Page>
}
