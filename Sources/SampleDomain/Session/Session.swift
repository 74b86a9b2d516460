/// Who is using the application. A profile's data are in a folder of their own, and a common folder is used while
/// nobody is signed in.
///
/// - Owns: ``State``, with the profile that is signed in. It opens and closes the `ProfileDoor` in front of the
///   services of the other features.
/// - Takes: ``Command``. A front end performs ``Command/restore`` before anything else, because the door is closed
///   until then, and after it has reset the store.
/// - Sets off: on a change of profile, the last saves, then a reset of everything but the theme, then the first loads.
///   No work for one profile can write afterwards, neither to a state nor to a service.
/// - Follows: sign-ins and sign-outs by other processes, by a ``Command/restore``, which stores nothing.
///
/// It orchestrates other features, of which it knows only the vocabulary, and works if any of them is missing.
public enum Session {}
