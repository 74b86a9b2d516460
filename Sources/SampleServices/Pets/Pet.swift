public import Foundation

/// An animal that waits for a home.
///
/// All but the id and the name may be unknown. How unknown things, dates and numbers are put to people is the domain's
/// business: this is only what the service knows.
public struct Pet: Sendable, Hashable, Identifiable {
    /// What the catalogue says of the pet.
    public let summary: Summary

    /// When the pet came, or nil where nobody knows.
    public let arrived: Date?

    /// The telephone number of its keeper, as the service has it, or nil.
    public let phone: String?

    /// What its keeper has to say, or nil.
    public let about: String?

    /// What never changes about the pet. Not empty.
    public var id: String { summary.id }

    /// Makes a pet.
    ///
    /// - Parameters:
    ///   - summary: What the catalogue says of it.
    ///   - arrived: When it came, or nil.
    ///   - phone: The telephone number of its keeper, or nil.
    ///   - about: What its keeper has to say, or nil.
    public init(summary: Summary, arrived: Date? = nil, phone: String? = nil, about: String? = nil) {
        self.summary = summary
        self.arrived = arrived
        self.phone = phone
        self.about = about
    }
}
