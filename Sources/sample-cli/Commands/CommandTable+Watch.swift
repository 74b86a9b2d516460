extension CommandTable {
    /// The command that reports every change.
    static let watch = CommandSpec(
        name: "watch",
        summary: Texts.watchSummary,
        options: [data, json],
        notes: [Texts.watchNote, Texts.watchLossNote, Texts.watchJSONNote]
    ) { .watch(options(of: $0)) }
}
