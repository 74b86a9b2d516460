/// The user's settings, as a static table.
///
/// - Owns: ``State``, with the settings and what isn't saved yet; and ``Appearance``, the theme, which outlives them.
/// - Takes: ``Command``, which the rules may reject; and ``Effect``, to read and save again after a failure.
/// - Sets off: a save after every change. A change that couldn't be saved is kept until a later save succeeds.
/// - Follows: what other processes change. It is merged, setting by setting, and saves nothing.
///
/// A front end makes a ``Table`` of the states. It consists of values without behaviour: a ``Cell`` says what to show,
/// and the front end decides what happens when it is activated.
public enum Settings {}
