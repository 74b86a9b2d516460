/// A catalogue of pets on a server that may be slow, or away.
///
/// What was loaded stays visible while it is loaded again, and after a failure, with the failure beside it. A load that
/// fails for a reason that may pass is tried again by itself, a few times, with longer and longer pauses. Opening a pet
/// pushes a page of it on the application's stack; when that page is gone, however that came, its load is cancelled.
///
/// A front end registers ``Module``, dispatches ``Effect`` and ``Command``, and shows what a ``Presenter`` makes of
/// ``State``.
public enum Pets {}
