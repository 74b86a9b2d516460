public import Relux

/// The user's location in the application.
///
/// - Owns: the ``Stack``, one for the whole application.
/// - Takes: the actions of the stack. A feature that shows a page adds a case to ``Page`` and depends on ``Module``. It
///   knows nothing about the pages of other features.
/// - Sets off: nothing. What belongs to a page follows the entries of the stack, as ``PetPage`` does.
public enum Navigation {
    /// The stack of pages.
    public typealias Stack = Relux.Navigation.Stack<Page>
}
