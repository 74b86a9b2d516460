import CartInterface
import CartModels
import CartTestSupport
import CatalogInterface
import CatalogModels
import CatalogTestSupport
import Checkout
import Relux
import ReluxTesting
import Testing

@Suite("An orchestrator, tested without its neighbours")
struct CheckoutTests {
    @Test("what is in the cart is reserved, each as often as it is there, and is out of the cart then")
    func submit() async throws {
        let lines = [Line(id: 1), Line(id: 2, count: 3)]
        let reserving = StandIn(for: Catalog.Reserve.self) { _ in Reservation(id: "r1") }
        let store = try await TestStore {
            Checkout.Module(page: ProductPage.Module.empty)
            Cart.Module.fixed(lines)
            Catalog.Module.fixed()
            reserving
        }

        let submitting = await store.perform(Checkout.Submit())
        await store.receive(Catalog.Reserve([1, 2, 2, 2]))
        await store.receive(Cart.Action.bought(lines))

        #expect(try await submitting.output() == Reservation(id: "r1"))
        #expect(reserving.taken == [Catalog.Reserve([1, 2, 2, 2])])
        await store.finish()
    }

    @Test("if nothing can be reserved, the cart stays as it is")
    func soldOut() async throws {
        struct SoldOut: Error {}
        let store = try await TestStore {
            Checkout.Module(page: ProductPage.Module.empty)
            Cart.Module.fixed([Line(id: 1)])
            Catalog.Module.fixed()
            StandIn(for: Catalog.Reserve.self) { _ in throw SoldOut() }
        }

        let submitting = await store.perform(Checkout.Submit())
        await store.receive(Catalog.Reserve([1]))

        await #expect(throws: Relux.EffectError.self) { try await submitting.output() }
        await store.finish()
    }

    @Test("without the modules that it requires, it isn't registered")
    func missing() async throws {
        await #expect(throws: Relux.StoreError.self) {
            try await Relux.Store {
                Checkout.Module(page: ProductPage.Module.empty)
                Cart.Module.fixed()
            }
        }
    }
}
