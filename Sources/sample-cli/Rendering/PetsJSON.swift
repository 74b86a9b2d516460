import SampleDomain
import SampleServices

/// Pets in JSON, for scripts. Their format is part of the program's contract: see ``Texts/petsJSONNote``.
struct PetsJSON: JSONLine {
    /// Which request the pets answer.
    enum Outcome: String, Encodable {
        case listed, shown
    }

    private let outcome: Outcome
    private let pets: [Row]

    /// The whole catalogue.
    init(listing summaries: [Pet.Summary]) {
        outcome = .listed
        pets = summaries.map { Row(summary: $0) }
    }

    /// One pet.
    init(showing pet: Pet) {
        outcome = .shown
        pets = [Row(summary: pet.summary, details: pet)]
    }

    private struct Row: Encodable {
        let summary: Pet.Summary
        var details: Pet?

        enum CodingKeys: String, CodingKey {
            case id, name, species, birthday, colour, arrived, phone, about
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(summary.id, forKey: .id)
            try container.encode(summary.name, forKey: .name)
            // Nil values are encoded as null, so that every object of a command has the same keys.
            try container.encode(summary.species, forKey: .species)
            try container.encode(summary.birthday?.description, forKey: .birthday)
            try container.encode(summary.colour?.hex, forKey: .colour)
            guard let details else { return }
            try container.encode(details.arrived?.formatted(.iso8601), forKey: .arrived)
            try container.encode(details.phone, forKey: .phone)
            try container.encode(details.about, forKey: .about)
        }
    }
}
