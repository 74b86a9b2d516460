import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A catalogue of pets on a server.
///
/// The protocol consists of two requests: `GET /api/pets`, answered with a JSON list of summaries, and `GET
/// /api/pets/{id}`, answered with a JSON object that contains everything known about one pet. See `Pet.init(from:)` for
/// the keys. Status 404 or 410 for a pet means that it doesn't exist. Answers aren't cached, and redirects are
/// followed.
///
/// - Isolation: None.
/// - Cancellation: Cancelling the task ends the call immediately, whatever the server and the system are doing, and
///   closes the connection.
///
/// A request fails when the server has sent nothing for the service's timeout. An answer that keeps arriving may take
/// longer; callers that need a limit for it must set one themselves.
public final class HTTPPetsService: PetsService {
    private let address: PetsAddress
    private let client: HTTPClient

    /// Creates a service.
    ///
    /// - Parameter timeout: How many seconds the server may send nothing before a request fails.
    public init(address: PetsAddress, timeout: TimeInterval = 60) {
        self.address = address
        client = HTTPClient(timeout: timeout)
    }

    /// The address of the server.
    public var origin: String { address.description }

    /// Requests the whole catalogue from the server.
    public func pets() async throws(PetsServiceError) -> [Pet.Summary] {
        let place = address.catalogue?.absoluteString ?? origin
        let pets: [Pet.Summary] = try await answer(from: address.catalogue, place: place)
        var ids: Set<Pet.ID> = []
        for pet in pets where !ids.insert(pet.id).inserted {
            throw PetsServiceError(.malformed("the id “\(pet.id)” comes twice"), place: place)
        }
        return pets
    }

    /// Requests one pet from the server.
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
        missing: PetsServiceError.Reason? = nil
    ) async throws(PetsServiceError) -> Value {
        guard let url else { throw PetsServiceError(missing ?? .status(404), place: place) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        do {
            let (data, response) = try await client.answer(to: request)
            guard let response = response as? HTTPURLResponse else {
                throw PetsServiceError(.malformed("it is not HTTP"), place: place)
            }
            switch response.statusCode {
            case 200..<300: return try JSONDecoder().decode(Value.self, from: data)
            case let code:
                let missing = code == 404 || code == 410 ? missing : nil
                throw PetsServiceError(missing ?? .status(code), place: place)
            }
        } catch {
            throw PetsServiceError(error, place: place)
        }
    }
}
