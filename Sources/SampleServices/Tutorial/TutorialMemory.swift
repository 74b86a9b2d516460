/// What is remembered of the tutorial of a list.
public enum TutorialMemory: String, Sendable, Hashable {
    /// Nobody has had to do with it yet.
    case untouched

    /// It was given, or there was no need for it. It isn't given again by itself.
    case given

    /// It is to be given again.
    case wanted
}
