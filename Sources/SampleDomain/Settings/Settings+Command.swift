public import Relux

extension Settings {
    /// What a user wants done with the settings.
    ///
    /// To perform one returns as soon as the choice is in the state, and throws a ``SettingsError`` where the rules
    /// don't allow it; then nothing has changed. Commands are carried out one after the other, so that each finds what
    /// the one before has chosen. Saving follows by itself, and how it went is told by ``State/saving``.
    public enum Command: Relux.Effect, Hashable {
        /// Chooses something.
        case choose(Setting)

        /// Chooses the theme that comes after the present one, and after the last one the first. Where the settings
        /// haven't been read yet, that comes first.
        case chooseNextTheme

        /// Wants marketing e-mails where they weren't wanted, and none where they were. Where the settings haven't been
        /// read yet, that comes first.
        case toggleMarketingEmails

        /// Does nothing. To perform it returns when all commands that were given before it have been carried out.
        case catchUp
    }
}
