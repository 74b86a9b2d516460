import SampleServices

extension CommandTable {
    static let baseURL = OptionSpec(name: "base-url", value: "URL", explanation: Texts.baseURLOption)

    private static let pet = OperandSpec(name: "ID", explanation: Texts.petOperand)

    /// The commands for the catalogue of pets.
    static let pets = CommandSpec(
        name: "pets",
        summary: Texts.petsSummary,
        options: [baseURL, json],
        subcommands: [
            CommandSpec(
                name: "list",
                summary: Texts.petsListSummary,
                notes: [Texts.petsJSONNote]
            ) { (arguments) throws(UsageError) in
                .pets(.list, try petsOptions(of: arguments))
            },
            CommandSpec(
                name: "show",
                summary: Texts.petsShowSummary,
                operands: [pet],
                notes: [Texts.petsJSONNote]
            ) { (arguments) throws(UsageError) in
                .pets(.show(arguments.first), try petsOptions(of: arguments))
            },
        ],
        notes: [Texts.petsServerNote, Texts.petsJSONNote]
    )

    static func petsOptions(of arguments: ParsedArguments) throws(UsageError) -> PetsOptions {
        var options = PetsOptions(isJSON: arguments.contains(json), isVerbose: arguments.contains(verbose))
        if let text = arguments.options[baseURL] {
            guard let address = PetsAddress(text) else { throw .noAddress(text, baseURL) }
            options.address = address
        }
        return options
    }
}
