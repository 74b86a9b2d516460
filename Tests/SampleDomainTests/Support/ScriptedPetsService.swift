import Relux
import SampleServices

/// A catalogue of pets with answers controlled by a test. It records all requests.
final class ScriptedPetsService: PetsService {
    typealias ListAnswer = @Sendable (_ attempt: Int) async throws(PetsServiceError) -> [Pet.Summary]
    typealias PetAnswer = @Sendable (_ id: Pet.ID, _ attempt: Int) async throws(PetsServiceError) -> Pet

    private let list: ListAnswer
    private let one: PetAnswer
    private let asked = Lock<[String]>([])

    let origin = "script"

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - list: Returns the catalogue, given the number of the request for it, starting at 1.
    ///   - one: Returns a pet, given its id and the number of the request of any kind, starting at 1.
    init(
        list: @escaping ListAnswer = { (_) throws(PetsServiceError) in [] },
        one: @escaping PetAnswer = { (id, _) throws(PetsServiceError) in .sample(id) }
    ) {
        self.list = list
        self.one = one
    }

    /// All requests, in order: ids, and `*` for the catalogue.
    var questions: [String] { asked.withLock { $0 } }

    func pets() async throws(PetsServiceError) -> [Pet.Summary] { try await list(note("*")) }

    func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet { try await one(id, note(id)) }

    private func note(_ question: String) -> Int {
        asked.withLock { asked in
            asked.append(question)
            return asked.count
        }
    }
}

/// Waits until the task is cancelled, like a server that never answers.
func untilCancelled() async throws(PetsServiceError) {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw PetsServiceError(.cancelled, place: "script")
}
