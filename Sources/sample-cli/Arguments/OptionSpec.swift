/// An option that commands take: its names, and what help says about it.
struct OptionSpec: Sendable, Hashable {
    /// The name after two hyphens.
    let name: String

    /// The letter after one hyphen, if there is one.
    var letter: Character?

    /// What stands for the value in help; nil for an option without one.
    var value: String?

    /// One sentence for help.
    let explanation: String

    /// The way it is written: `--data FOLDER`.
    var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}
