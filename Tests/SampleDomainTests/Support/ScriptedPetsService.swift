import Relux
import SampleServices

/// A catalogue of pets that answers as a test tells it to, and notes what it was asked for.
final class ScriptedPetsService: PetsService {
    typealias ListAnswer = @Sendable (_ attempt: Int) async throws(PetsServiceError) -> [Pet.Summary]
    typealias PetAnswer = @Sendable (_ id: Pet.ID, _ attempt: Int) async throws(PetsServiceError) -> Pet

    private let list: ListAnswer
    private let one: PetAnswer
    private let asked = Lock<[String]>([])

    let origin = "script"

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - list: Answers for the catalogue. It gets the number of the question, from 1.
    ///   - one: Answers for a pet. It gets the id, and the number of the question of any kind, from 1.
    init(
        list: @escaping ListAnswer = { (_) throws(PetsServiceError) in [] },
        one: @escaping PetAnswer = { (id, _) throws(PetsServiceError) in .sample(id) }
    ) {
        self.list = list
        self.one = one
    }

    /// What was asked for, in order: ids, and `*` for the catalogue.
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

/// Waits until the task is cancelled, as a server does that never answers.
func untilCancelled() async throws(PetsServiceError) {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw PetsServiceError(.cancelled, place: "script")
}
