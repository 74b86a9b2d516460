/// What is remembered about the tutorial of a list.
public enum TutorialMemory: String, Sendable, Hashable {
    /// Nothing has been recorded yet.
    case untouched

    /// The tutorial was given or wasn't needed. It isn't given again automatically.
    case given

    /// The tutorial is to be given again.
    case wanted
}
