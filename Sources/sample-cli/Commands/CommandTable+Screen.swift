extension CommandTable {
    /// The full-screen interface to all features.
    static let tui = CommandSpec(
        name: "tui",
        summary: Texts.tuiSummary,
        options: [data, baseURL],
        notes: [Texts.tuiNote, Texts.tuiSelectionNote, Texts.tuiTerminalNote, Texts.tuiVerboseNote]
    ) { (arguments) throws(UsageError) in
        .tui(options(of: arguments), try petsOptions(of: arguments))
    }
}
