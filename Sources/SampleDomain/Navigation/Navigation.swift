public import Relux
public import SampleServices

/// The user's location in the application.
///
/// - Owns: the ``Stack``, one for the whole application.
/// - Takes: the actions of the stack. A feature that shows a page adds a case to ``Page`` and depends on ``Module``. It
///   knows nothing about the pages of other features.
/// - Sets off: nothing. What belongs to a page follows the entries of the stack, as ``PetPage`` does.
public enum Navigation {
    /// The stack of pages.
    public typealias Stack = Relux.Navigation.Stack<Page>

    /// A page that can be shown above the root.
    public enum Page: Sendable, Hashable, Codable {
        /// The details of one pet.
        case pet(Pet.ID)
    }

    /// The stack of pages as a feature of an app.
    public struct Module: Relux.Module {
        /// Creates the module.
        public init() {}

        /// An empty stack.
        public var states: [any Relux.State] { [Stack()] }
    }
}
