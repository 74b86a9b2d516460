/// A catalogue of pets on a server that may be slow or unreachable.
///
/// What was loaded stays visible while it is reloaded and after a failure, together with the error. A load that fails
/// for a transient reason is retried automatically, a few times, with increasing pauses. Opening a pet pushes one of
/// its pages onto the application's stack. When the page is closed, for whatever reason, its load is cancelled.
///
/// A front end registers ``Module``, dispatches ``Effect`` and ``Command``, and shows what a ``Presenter`` makes of
/// ``State``.
public enum Pets {}
