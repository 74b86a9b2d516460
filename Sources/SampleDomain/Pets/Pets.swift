/// A catalogue of pets on a server that may be slow or unreachable, and the pages of single pets.
///
/// - Owns: ``State``, with the catalogue and what pages have loaded so far.
/// - Takes: ``Effect``, to load the catalogue; ``Command``, to open a page; and what the pages tell.
/// - Sets off: requests within a ``Patience``. What was loaded stays visible while it is reloaded and after a failure,
///   together with the error.
/// - Contains: a ``PetPage`` for each entry of the application's stack of pages. Closing a page, in whatever way, ends
///   its load in the same step.
///
/// A front end shows what a ``Presenter`` makes of the states.
public enum Pets {}
