public import Relux

extension Settings {
    /// What a user wants done with the settings.
    ///
    /// To perform one returns as soon as the choice is in the state, and throws a ``SettingsError`` where the rules don't
    /// allow it; then nothing has changed. Saving follows by itself, and how it went is told by ``State/saving``.
    public enum Command: Relux.Effect, Hashable {
        /// Chooses something.
        case choose(Setting)

        /// Does nothing. To perform it returns when all commands that were given before it have been carried out.
        case catchUp
    }
}
