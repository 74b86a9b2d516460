/// Who is there, and who isn't.
///
/// Users come and go elsewhere, in other programs; a watcher takes that in for as long as the module is there. They
/// stand in two sections, online and offline, and move between them; a selection keeps to the user, wherever that
/// stands.
///
/// A front end registers ``Module``, dispatches ``Command``, ``Effect`` and ``State/Action/selected(_:)``, and shows
/// what a ``Presenter`` makes of ``State``.
public enum Users {}
