public import Relux

/// The user's location in the application.
///
/// The whole application shares one stack of pages. A feature that shows a page adds a case to ``Page``, depends on
/// ``Module``, and dispatches actions of ``Stack``. It knows nothing about the pages of other features.
public enum Navigation {
    /// The stack of pages.
    public typealias Stack = Relux.Navigation.Stack<Page>
}
