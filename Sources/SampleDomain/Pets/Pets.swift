/// A catalogue of pets on a server that may be slow or unreachable.
///
/// What was loaded stays visible while it is reloaded and after a failure, together with the error. A load that fails
/// for a transient reason is retried automatically, a few times, with increasing pauses.
///
/// Opening a pet pushes a page onto the application's stack. Each page is an instance of ``PetPage/Module`` that follows
/// its entry in the stack: it loads itself, and closing it, in whatever way, ends its load in the same step.
///
/// A front end registers ``Module``, dispatches ``Effect`` and ``Command``, and shows what a ``Presenter`` makes of
/// ``State`` and ``PetPage/State``.
public enum Pets {}
