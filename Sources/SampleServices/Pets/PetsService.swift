/// A catalogue of pets.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool.
/// - Ordering: None. Of two calls, the later one may be answered first, and with what is older.
/// - Cancellation: Cancelling the task ends the wait with ``PetsServiceError/Reason/cancelled``.
public protocol PetsService: Sendable {
    /// Where the pets come from, for people to read.
    var origin: String { get }

    /// The whole catalogue.
    ///
    /// - Returns: The pets in the order in which they should be shown, each id once.
    /// - Throws: What kept the catalogue from being had.
    func pets() async throws(PetsServiceError) -> [Pet.Summary]

    /// One pet, with everything that is known of it.
    ///
    /// - Parameter id: The id of the pet.
    /// - Returns: The pet with that id, and no other.
    /// - Throws: What kept the pet from being had, ``PetsServiceError/Reason/notFound(_:)`` where there is none.
    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet
}
