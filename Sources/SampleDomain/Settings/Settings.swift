/// The user's settings, as a static table.
///
/// The table consists of values without behaviour, derived from the state. The front end switches over a ``Cell`` to
/// show it and to decide what to do when it is activated. Every change is visible immediately and saved afterwards. A
/// change that couldn't be saved is kept until a later save succeeds. Changes made by other processes are merged,
/// setting by setting, and aren't saved again.
///
/// A front end registers ``Module``, makes a ``Table`` of ``State`` and ``Appearance``, performs a ``Command`` if it
/// needs the result, and dispatches ``Effect/save`` to retry after a failure.
public enum Settings {}
