/// The commands for the catalogue of pets.
extension CommandTable {
    static let baseURL = OptionSpec(
        name: "base-url", value: "URL",
        explanation: "The server that has the pets. Without it: a small catalogue that needs no network.")
    private static let pet = OperandSpec(name: "ID", explanation: "The id of a pet, as the list has it.")

    static let pets = CommandSpec(
        name: "pets",
        summary: "Shows a catalogue of pets.",
        options: [baseURL, json],
        subcommands: [
            CommandSpec(name: "list", summary: "Lists the pets: id, name, species and age.") {
                try await PetsRunner($0).list()
            },
            CommandSpec(name: "show", summary: "Shows everything about one pet.", operands: [pet]) {
                try await PetsRunner($0).show($0.arguments.first)
            },
        ],
        notes: [
            """
            The server at URL answers GET URL/api/pets and GET URL/api/pets/ID with JSON. A server that is away, slow or in
            trouble is asked again a few times, with longer and longer pauses.
            """
        ]
    )
}
