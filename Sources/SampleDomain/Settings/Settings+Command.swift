public import Relux

extension Settings {
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
}
