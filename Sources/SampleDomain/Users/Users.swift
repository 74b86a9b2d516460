/// Who is online and who is offline, in two sections sorted by name.
///
/// - Owns: ``State``, with the roster, the selected user, and what can't be read.
/// - Takes: ``Command``, which records an arrival or departure; ``Effect``, to read the users again after a failure;
///   and the selecting action of ``State``.
/// - Follows: the presence of users, for as long as the module lives.
///
/// A front end shows what a ``Presenter`` makes of the state.
public enum Users {}
