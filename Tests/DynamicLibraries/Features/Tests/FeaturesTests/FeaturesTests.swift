import Counting
import Noting
import Relux
import ReluxTesting
import Testing

@Suite("Features of dynamic libraries, linked statically for their tests")
struct FeaturesTests {
    @Test("one copy of the library is tested")
    func together() async throws {
        let store = try await TestStore {
            Counting.Module()
            Noting.Module()
        }

        let noting = await store.perform(Noting.Note("three"))

        #expect(try await noting.output() == 5)
    }
}
