import SampleDomain
import SampleServices

/// Pets, as ``Texts/petsJSONNote`` describes them.
struct PetsJSON: JSONLine {
    private struct Summary: Encodable {
        let id: String
        let name: String
        @OrNull var species: String?
        @OrNull var birthday: String?
        @OrNull var colour: String?
    }

    private struct Details: Encodable {
        @OrNull var arrived: String?
        @OrNull var phone: String?
        @OrNull var about: String?
    }

    /// An object with the keys of a summary and, for a pet that is shown, those of its details.
    private struct Row: Encodable {
        let summary: Summary
        var details: Details?

        init(_ pet: Pet.Summary) {
            summary = Summary(
                id: pet.id, name: pet.name, species: pet.species, birthday: pet.birthday?.description,
                colour: pet.colour?.hex)
        }

        func encode(to encoder: any Encoder) throws {
            try summary.encode(to: encoder)
            try details?.encode(to: encoder)
        }
    }

    private let outcome: String
    private var pets: [Row]

    init(listing summaries: [Pet.Summary]) {
        (outcome, pets) = ("listed", summaries.map(Row.init))
    }

    init(showing pet: Pet) {
        (outcome, pets) = ("shown", [Row(pet.summary)])
        pets[0].details = Details(arrived: pet.arrived?.formatted(.iso8601), phone: pet.phone, about: pet.about)
    }
}
