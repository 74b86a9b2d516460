import CartImplementation
import CartInterface
import CartModels
import CartTestSupport
import CatalogImplementation
import CatalogInterface
import CatalogModels
import CatalogTestSupport
import Checkout
import Foundation
import Relux
import ReluxTesting
import Testing

/// The only place that imports implementations, as the application does.
@Suite("The whole shop")
struct ShopTests {
    private func shop() async throws -> Relux.Store {
        try await Relux.Store {
            Catalog.Module.live(SampleCatalogService())
            Cart.Module.live(SampleCartService([Line(id: 2)]))
            Checkout.Module(page: ProductPage.Module.live)
        }
    }

    @Test("a product that is added is bought")
    func buying() async throws {
        let store = try await shop()
        await store.dispatch(Cart.Action.added(1))
        try await store.perform(Cart.Restore())
        await store.dispatch(Cart.Action.added(2))

        let reservation = try await store.perform(Checkout.Submit())

        #expect(reservation == Reservation(id: "1+2+2"))
        #expect(try await store.state(of: Cart.State.self).lines.isEmpty)
    }

    @Test("the page of a product is found by its interface, and shows what the catalog loads")
    func page() async throws {
        let store = try await shop()
        await store.dispatch(Checkout.State.Action.productTapped(2))
        let page = store.scope(of: ProductPage.Module.self, id: 2)

        try await store.perform(Catalog.Load())

        let shown = try await page.wait { (state: ProductPage.State) in state.product != nil }
        #expect(shown.product == .milk)
        await store.dispatch(Checkout.State.Action.pageClosed)
        await #expect(throws: Relux.StoreError.self) { try await page.state(of: ProductPage.State.self) }
    }

    @Test("features import interfaces and models of other domains, and nothing else of them")
    func imports() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "InterfacePackages")
        func imports(of target: String) throws -> Set<String> {
            let folder = root.appending(path: target)
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            let lines = try files.flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
            return Set(lines.filter { $0.hasPrefix("import ") }.map { String($0.dropFirst(7)) })
        }

        #expect(
            try imports(of: "Checkout/Sources/Checkout") == [
                "CartInterface", "CatalogInterface", "CatalogModels", "Relux",
            ])
        #expect(try imports(of: "Cart/Sources/CartInterface") == ["CartModels", "Relux"])
        #expect(try imports(of: "Catalog/Sources/CatalogInterface") == ["CatalogModels", "Relux"])
        #expect(try imports(of: "Catalog/Sources/CatalogModels").isEmpty)
    }
}
