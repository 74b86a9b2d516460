/// What somebody can choose, as a static table.
///
/// What is on the table are values without behaviour, derived from the state: the front end switches over a ``Cell`` to
/// show it and to know what to do when it is touched. Every change is seen at once and saved after it; what couldn't be
/// saved stays, until a later save takes it along. What other processes change is taken in, setting by setting, and is
/// not saved again.
///
/// A front end registers ``Module``, makes a ``Table`` of ``State`` and ``Appearance``, performs a ``Command`` where it
/// wants to know what became of it, and dispatches ``Effect/save`` to try again after a failure.
public enum Settings {}
