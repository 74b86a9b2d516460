import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Flags", .timeLimit(.minutes(1)))
struct PricesTests {
    private struct Fixed: PriceService {
        let price: Int

        func price(of article: String) async throws -> Int { price }
    }

    @Test("the flag decides which service answers, without a restart")
    func flag() async throws {
        let store = try await TestStore { Flags.Module(old: Fixed(price: 1), new: Fixed(price: 2)) }

        let before = await store.perform(Prices.Quote(article: "tea"))
        #expect(try await before.output() == 1)
        await store.dispatch(.fetched(usesNewPrices: true), to: Flags.State.self) { $0.usesNewPrices = true }
        let after = await store.perform(Prices.Quote(article: "tea"))
        #expect(try await after.output() == 2)

        await store.finish()
    }
}
