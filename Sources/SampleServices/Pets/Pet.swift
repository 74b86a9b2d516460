public import Foundation

/// An animal that is waiting for a home.
///
/// Everything except the id and the name may be unknown. This is only what the service knows. The domain decides how
/// unknown values, dates, and numbers are presented.
public struct Pet: Sendable, Hashable, Identifiable {
    /// The pet's summary in the catalogue.
    public let summary: Summary

    /// When the pet arrived, or nil if it is unknown.
    public let arrived: Date?

    /// The telephone number of the pet's keeper, in the form used by the service, or nil.
    public let phone: String?

    /// A description by the pet's keeper, or nil.
    public let about: String?

    /// The identity of the pet, which never changes. It is not empty.
    public var id: String { summary.id }

    /// Creates a pet.
    public init(summary: Summary, arrived: Date? = nil, phone: String? = nil, about: String? = nil) {
        self.summary = summary
        self.arrived = arrived
        self.phone = phone
        self.about = about
    }
}

extension Pet {
    /// The summary of a pet in the catalogue, enough for one row of a list.
    public struct Summary: Sendable, Hashable, Identifiable {
        /// The identity of the pet, which never changes. It is not empty.
        public let id: String

        /// The pet's name.
        public let name: String

        /// The kind of animal, or nil if it is unknown.
        public let species: String?

        /// The date of birth, or nil if it is unknown.
        public let birthday: Day?

        /// The colour of the pet's coat, or nil if it is unknown.
        public let colour: Colour?

        /// Creates a summary.
        public init(id: String, name: String, species: String? = nil, birthday: Day? = nil, colour: Colour? = nil) {
            self.id = id
            self.name = name
            self.species = species
            self.birthday = birthday
            self.colour = colour
        }
    }

    /// A colour of the form `#C68642`: its red, green, and blue components in two hexadecimal digits each.
    public struct Colour: Sendable, Hashable {
        /// The colour, with capital letters.
        public let hex: String

        /// Parses a colour, whose letters may be small. The result is nil for any other form.
        public init?(_ text: String) {
            guard text.utf8.count == 7, text.first == "#", text.dropFirst().count == 6,
                text.dropFirst().allSatisfy(\.isHexDigit)
            else { return nil }
            hex = text.uppercased()
        }
    }
}
