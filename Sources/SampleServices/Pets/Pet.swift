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
    ///
    /// - Parameters:
    ///   - summary: The pet's summary in the catalogue.
    ///   - arrived: When the pet arrived, or nil if it is unknown.
    ///   - phone: The telephone number of the pet's keeper, or nil.
    ///   - about: A description by the pet's keeper, or nil.
    public init(summary: Summary, arrived: Date? = nil, phone: String? = nil, about: String? = nil) {
        self.summary = summary
        self.arrived = arrived
        self.phone = phone
        self.about = about
    }
}
