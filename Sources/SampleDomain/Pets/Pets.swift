public import Relux
public import SampleServices

/// A catalogue of pets on a server that may be slow or unreachable, and the pages of single pets.
///
/// - Owns: ``State``, with the catalogue and what pages have loaded so far.
/// - Takes: ``Effect``, to load the catalogue; ``Command``, to open a page; and the actions of the pages.
/// - Sets off: requests within a ``Patience``. What was loaded stays visible while it is reloaded and after a failure,
///   together with the error.
/// - Contains: a ``PetPage`` for each entry of the application's stack of pages. Closing a page, in whatever way, ends
///   its load in the same step.
///
/// A front end shows what a ``Presenter`` makes of the states.
public enum Pets {
    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Loads or reloads the catalogue. A load that is still running is superseded.
        case load
    }

    /// A request of a user.
    public enum Command: Relux.Action, Hashable {
        /// Opens a page for a pet. If the top page is already that page, for example after two quick taps, nothing
        /// happens.
        case open(Pet.ID)
    }
}

extension Navigation.Stack {
    /// Opens a page, unless it is the top page already.
    ///
    /// The stack decides, in the step that reduces the command. If a saga looked at the top and then pushed, a page
    /// could close in between.
    mutating func reduce(_ command: Pets.Command) {
        switch command {
        case .open(let id): reduce(.push(.pet(id), ifNotOnTop: true))
        }
    }
}
