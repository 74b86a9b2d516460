import SampleDomain
import SampleServices

/// Pets, as Docs/Sample.md describes them.
struct PetsJSON: JSONLine {
    private struct Row: Encodable {
        let id: String
        let name: String
        @OrNull var species: String?
        @OrNull var birthday: String?
        @OrNull var colour: String?
        // Only a pet that is shown has these keys.
        var arrived: OrNull<String>?
        var phone: OrNull<String>?
        var about: OrNull<String>?
    }

    private let outcome: String
    private let pets: [Row]

    init(listing summaries: [Pet.Summary]) {
        (outcome, pets) = ("listed", summaries.map(Self.row(of:)))
    }

    init(showing pet: Pet) {
        var row = Self.row(of: pet.summary)
        row.arrived = OrNull(wrappedValue: pet.arrived?.formatted(.iso8601))
        row.phone = OrNull(wrappedValue: pet.phone)
        row.about = OrNull(wrappedValue: pet.about)
        (outcome, pets) = ("shown", [row])
    }

    private static func row(of pet: Pet.Summary) -> Row {
        Row(
            id: pet.id, name: pet.name, species: pet.species, birthday: pet.birthday?.description,
            colour: pet.colour?.hex)
    }
}
