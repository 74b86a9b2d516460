import SampleServices
import Testing

@Suite struct BundledPetsServiceTests {
    @Test func `every pet of the catalogue is available, and ids are unique`() async throws {
        let service = BundledPetsService()

        let summaries = await service.pets()

        #expect(summaries.count == 5)
        #expect(Set(summaries.map(\.id)).count == summaries.count)
        for summary in summaries { #expect(try await service.pet(id: summary.id).summary == summary) }
    }

    @Test func `a missing pet is reported as not found`() async {
        let service = BundledPetsService(pets: [.sample("a")])

        await #expect(throws: PetsServiceError(.notFound("b"), place: "the bundled catalogue")) {
            try await service.pet(id: "b")
        }
    }
}
