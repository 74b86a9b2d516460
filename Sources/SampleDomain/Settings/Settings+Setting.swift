public import SampleServices

extension Settings {
    /// A choice.
    public enum Setting: Sendable, Hashable {
        /// What the user wants to be called. White space around it doesn't count; an empty one takes it back.
        case displayName(String)

        /// What the list is called. White space around it doesn't count; an empty one takes it back.
        case listName(String)

        /// How everything looks.
        case theme(UserSettings.Theme)

        /// Whether the user wants to get marketing e-mails.
        case marketingEmails(Bool)
    }
}
