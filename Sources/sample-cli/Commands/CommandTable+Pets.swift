/// The commands for the catalogue of pets.
extension CommandTable {
    static let baseURL = OptionSpec(name: "base-url", value: "URL", explanation: Texts.baseURLOption)
    private static let pet = OperandSpec(name: "ID", explanation: Texts.petOperand)

    static let pets = CommandSpec(
        name: "pets",
        summary: Texts.petsSummary,
        options: [baseURL, json],
        subcommands: [
            CommandSpec(name: "list", summary: Texts.petsListSummary, notes: [Texts.petsJSONNote]) {
                try await PetsRunner($0).list()
            },
            CommandSpec(name: "show", summary: Texts.petsShowSummary, operands: [pet], notes: [Texts.petsJSONNote]) {
                try await PetsRunner($0).show($0.arguments.first)
            },
        ],
        notes: [Texts.petsServerNote, Texts.petsJSONNote]
    )
}
