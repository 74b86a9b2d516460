/// A catalogue of pets.
///
/// - Isolation: None. The methods can be called from anywhere, concurrently, and don't block a thread of the
///   cooperative pool.
/// - Ordering: None. Of two calls, the later one may be answered first, and with older data.
/// - Cancellation: Cancelling the task ends the wait with ``PetsServiceError/Reason/cancelled``.
public protocol PetsService: Sendable {
    /// A human-readable name for the source of the pets.
    var origin: String { get }

    /// Returns the whole catalogue.
    ///
    /// - Returns: The pets in display order. Each id occurs once.
    /// - Throws: If the catalogue can't be fetched.
    func pets() async throws(PetsServiceError) -> [Pet.Summary]

    /// Returns one pet, with everything that is known about it.
    ///
    /// - Returns: The pet with exactly that id.
    /// - Throws: If the pet can't be fetched, ``PetsServiceError/Reason/notFound(_:)`` if it doesn't exist.
    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet
}
