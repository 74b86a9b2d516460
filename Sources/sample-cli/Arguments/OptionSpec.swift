/// An option of a command: its names, and its help text.
struct OptionSpec: Sendable, Hashable {
    /// The name, without its two hyphens.
    let name: String
    /// The letter of the short form, without its hyphen, or nil.
    var letter: Character?
    /// The placeholder for the value in help pages, or nil for an option without a value.
    var value: String?
    /// One sentence for the help page.
    let explanation: String

    /// The notation in help pages: `--data FOLDER`.
    var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}
