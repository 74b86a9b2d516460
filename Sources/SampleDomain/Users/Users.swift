/// Users who are online or offline.
///
/// Users arrive and leave in other programs. A watcher follows their presence while the module is registered. They are
/// listed in two sections, online and offline, and move between them. The selection follows its user to any position.
///
/// A front end registers ``Module``, dispatches ``Command``, ``Effect``, and ``State/Action/selected(_:)``, and shows
/// what a ``Presenter`` makes of ``State``.
public enum Users {}
