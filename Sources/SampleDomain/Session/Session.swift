/// Who is using the application.
///
/// Signing in selects a profile, whose data are in a folder of its own. A common folder is used while nobody is signed
/// in. Whenever the profile changes, by signing in or out, all work for the previous one is cancelled and awaited, and
/// all states except the theme are reset in one step. No earlier work can write afterwards, neither to a state nor to a
/// service. Unsaved changes are saved beforehand if that takes only a moment.
///
/// The services of the other features are behind a `ProfileDoor`, which this feature opens and closes. It knows only
/// the vocabulary of the other features, and works if any of them is missing.
///
/// A front end registers ``Module`` with the others, performs ``Command/restore`` before anything else, because all
/// data are behind a closed door until then, and reads ``State``. An external reset of the store clears the session, so
/// it must be followed by a ``Command/restore`` as well. If several programs use one data folder, each follows the
/// changes that the others make to the session, by an automatic ``Command/restore``. That command stores nothing, so
/// the programs can't trigger each other endlessly.
public enum Session {}
