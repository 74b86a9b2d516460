/// Who is using the application.
///
/// Signing in chooses a profile, whose data are in a folder of its own; while nobody is signed in, there is a common
/// one. When the data change hands, by signing in as well as out, everything that runs for the one before is cancelled
/// and awaited, and all states but the theme go back to their initial values in one step. Nothing that was under way
/// can write afterwards, neither to a state nor to a service. What can still be saved in a moment is saved before.
///
/// The services of the other features stand behind a `ProfileDoor`, which this feature opens and closes. Of the
/// features themselves it knows only their vocabulary, and it works with any of them missing.
///
/// A front end registers ``Module`` beside the others, performs ``Command/restore`` before anything else, since until
/// then all data are behind a closed door, and reads ``State``. A reset of the store by somebody else makes it forget
/// who is signed in: that takes a ``Command/restore`` afterwards, too. Of several programs on one data folder each
/// follows what another one writes down about the session, by a ``Command/restore`` that follows by itself: it writes
/// nothing down, so that they can't answer each other for ever.
public enum Session {}
