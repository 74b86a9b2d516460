import SampleDomain
import SampleServices

extension Texts {
    static func waiting(for server: PetsAddress) -> String {
        "Waiting for the complete answer of \(server) …".visible
    }

    static let petsSummary = "Shows a catalogue of pets."
    static let petsListSummary = "Lists the pets: id, name, species and age."
    static let petsShowSummary = "Shows everything about one pet."

    static let baseURLOption = "The server that has the pets. Without it: a small catalogue that needs no network."
    static let petOperand = "The id of a pet, as the list has it."

    static let petsServerNote = """
        The server at URL answers GET URL/api/pets and GET URL/api/pets/ID with JSON. A server that is away, slow or in
        trouble is asked again a few times, with longer and longer pauses.
        """
    static let petsJSONNote = """
        With --json, a command prints one object on success:
          outcome   "listed" or "shown"
          pets      the pets in their order, each an object with
            id        text
            name      text
            species   text or null
            birthday  a day as in "2021-03-09", or null
            colour    as in "#C68642", or null
            arrived   ISO 8601 in UTC, or null; this and the rest only when shown
            phone     text or null
            about     text or null
        """

    static func label(_ kind: Pets.Page.Field.Kind) -> String {
        switch kind {
        case .species: "Species"
        case .born: "Born"
        case .age: "Age"
        case .colour: "Colour"
        case .arrived: "Here since"
        case .phone: "Phone"
        case .about: "About"
        }
    }
}
