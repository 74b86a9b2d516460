public import Relux
public import SampleServices

/// The user's settings, as a static table.
///
/// - Owns: ``State``, with the settings and what isn't saved yet; and ``Appearance``, the theme, which outlives them.
/// - Takes: ``Command``, which the rules may reject; and ``Effect``, to read and save again after a failure.
/// - Sets off: a save after every change. A change that couldn't be saved is kept until a later save succeeds.
/// - Follows: what other processes change. It is merged, setting by setting, and saves nothing.
///
/// A front end makes a ``Table`` of the states. It consists of values without behaviour: a ``Cell`` says what to show,
/// and the front end decides what happens when it is activated.
public enum Settings {
    /// What a user wants done with the settings.
    ///
    /// Performing a command returns as soon as the state contains the choice. It throws a ``SettingsError`` if the
    /// rules don't allow the command, in which case nothing has changed. Commands run one after the other, so that each
    /// sees the previous choices. Saving follows automatically, and its result is reported by ``State/saving``.
    public enum Command: Relux.Effect, Hashable {
        /// Changes a setting.
        case choose(Setting)

        /// Chooses the theme that follows the current one, or the first one after the last. If the settings haven't
        /// been read yet, they are read first.
        case chooseNextTheme

        /// Does nothing. Performing it returns when all earlier commands have been carried out.
        case catchUp
    }

    /// A setting, with the value to choose.
    public enum Setting: Sendable, Hashable {
        /// The user's name. Surrounding white space is ignored. An empty name clears the setting.
        case displayName(String)
        /// The name of the list. Surrounding white space is ignored. An empty name clears the setting.
        case listName(String)
        /// The look of the user interface.
        case theme(UserSettings.Theme)
    }

    /// Service work that a front end requests. The state reports the result.
    public enum Effect: Relux.Effect, Hashable {
        /// Reads the settings. Unsaved changes are kept.
        case load

        /// Saves all unsaved changes. Every ``Command`` does this automatically. This effect is the retry after a
        /// failure.
        case save
    }
}

/// Why a command was rejected or could not be carried out.
public enum SettingsError: Error, Hashable {
    /// The name has more characters than this limit.
    case tooLong(limit: Int)
    /// The name contains a line break or another control character.
    case severalLines
    /// The settings can't be read, so the result of a relative command isn't known.
    case notLoaded(StorageError)
}
