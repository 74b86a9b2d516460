import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A catalogue of pets on a server.
///
/// It speaks two requests: `GET /api/pets`, answered by a JSON list of summaries, and `GET /api/pets/{id}`, answered by
/// a JSON object with everything that is known of one pet; `Pet.init(from:)` tells the keys. Status 404 or 410 for a
/// pet says that there is none. Answers aren't cached, and redirections are followed.
///
/// - Isolation: None.
/// - Cancellation: Cancelling the task ends the call at once, whatever the server and the system are busy with, and
///   closes the connection.
///
/// Nothing bounds how long an answer may take apart from the system's own patience: who needs a limit sets it.
public final class HTTPPetsService: PetsService {
    private let address: PetsAddress
    private let client = HTTPClient()

    /// Makes a service.
    ///
    /// - Parameter address: Where the server is.
    public init(address: PetsAddress) {
        self.address = address
    }

    /// The address of the server.
    public var origin: String { address.description }

    /// Asks the server for the whole catalogue.
    ///
    /// - Returns: The pets in the order of the answer, each id once.
    /// - Throws: What kept the catalogue from being had. An id that comes twice makes an answer malformed.
    public func pets() async throws(PetsServiceError) -> [Pet.Summary] {
        let place = address.catalogue?.absoluteString ?? origin
        let pets: [Pet.Summary] = try await answer(from: address.catalogue, place: place, missing: .status(404))
        var ids: Set<Pet.ID> = []
        for pet in pets where !ids.insert(pet.id).inserted {
            throw PetsServiceError(.malformed("the id “\(pet.id)” comes twice"), place: place)
        }
        return pets
    }

    /// Asks the server for one pet.
    ///
    /// - Parameter id: The id of the pet.
    /// - Returns: The pet with that id. An answer about another one is malformed.
    /// - Throws: What kept the pet from being had.
    public func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
        let url = address.pet(id: id)
        let place = url?.absoluteString ?? origin
        let pet: Pet = try await answer(from: url, place: place, missing: .notFound(id))
        if pet.id != id {
            throw PetsServiceError(.malformed("it is about “\(pet.id)”, not “\(id)”"), place: place)
        }
        return pet
    }

    private func answer<Value: Decodable>(
        from url: URL?,
        place: String,
        missing: PetsServiceError.Reason
    ) async throws(PetsServiceError) -> Value {
        guard let url else { throw PetsServiceError(missing, place: place) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        do {
            let (data, response) = try await client.answer(to: request)
            guard let response = response as? HTTPURLResponse else {
                throw PetsServiceError(.malformed("it is no HTTP"), place: place)
            }
            switch response.statusCode {
            case 200..<300: return try JSONDecoder().decode(Value.self, from: data)
            case 404, 410: throw PetsServiceError(missing, place: place)
            case let code: throw PetsServiceError(.status(code), place: place)
            }
        } catch {
            throw PetsServiceError(error, place: place)
        }
    }
}
