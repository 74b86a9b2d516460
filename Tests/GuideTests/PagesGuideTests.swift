import Relux
import ReluxTesting
import Testing

@Suite("Docs/Composition.md: pages", .timeLimit(.minutes(10)))
struct PagesGuideTests {
    private typealias Example = PagesExample
    private typealias Pages = PagesExample.Pages

    @Test("a confirmed deletion removes the item and closes the page in one step")
    func deletes() async throws {
        let store = try await TestStore { Example.App() }
        await store.dispatch(Pages.Action.push(.detail(1))) { (pages: inout Pages) in
            pages = Pages(path: [.detail(1)])
        }
        let page = store.scope(of: Example.Detail.Module.self, id: 1)
        await page.dispatch(Example.Detail.State.Action.deleteTapped) { (detail: inout Example.Detail.State) in
            detail.isConfirmingDeletion = true
        }

        await page.dispatch(
            Example.Detail.State.Action.deletionConfirmed(1),
            { (items: inout Example.Items.State) in items.items.remove(id: 1) },
            { (pages: inout Pages) in pages = Pages() }
        )
        await store.receive(Example.Items.State.Action.removed(1))
        await store.receive(Relux.Dismissal(of: page.scope))
        await store.finish()
    }

    @Test("the sheet saves and closes itself, and its caller hears that it went well")
    func edits() async throws {
        let store = try await Relux.Store { Example.App() }
        await store.dispatch(Pages.Action.push(.detail(2)))
        let page = store.scope(of: Example.Detail.Module.self, id: 1)
        await page.dispatch(Example.Detail.State.Action.editTapped(2))

        try await page.scope(of: Example.Editor.Module.self, id: 2).perform(Example.Editor.Save(title: "Oat milk"))

        #expect(try await store.state(of: Example.Items.State.self).items[id: 2]?.title == "Oat milk")
        #expect(try await page.state(of: Example.Detail.State.self).edited == nil)
    }

    @Test("a page that listens hears of a removal that another page makes")
    func listens() async throws {
        let store = try await Relux.Store { Example.App() }
        await store.dispatch {
            Pages.Action.push(.statistics)
            Pages.Action.push(.detail(2))
        }

        await store.scope(of: Example.Detail.Module.self, id: 2)
            .dispatch(Example.Detail.State.Action.deletionConfirmed(2))

        let statistics = store.scope(of: Example.Statistics.Module.self, id: 1)
        #expect(try await statistics.state(of: Example.Statistics.State.self).removals == 1)
        #expect(try await store.state(of: Pages.self) == Pages(path: [.statistics]))
    }

    @Test("when the last item has gone and no page is open, the statistics are shown")
    func becomesEmpty() async throws {
        let store = try await Relux.Store {
            Example.EmptyShop()
            Example.App()
        }

        await store.dispatch(Example.Items.State.Action.removed(1))
        #expect(try await store.state(of: Pages.self).isEmpty)
        await store.dispatch(Example.Items.State.Action.removed(2))

        #expect(try await store.state(of: Pages.self) == Pages(path: [.statistics]))
    }

    @Test("what is tapped while something is open opens nothing")
    func tapsWhileOpen() async throws {
        let store = try await TestStore { Example.App() }
        await store.dispatch(Pages.Action.push(.detail(1))) { (pages: inout Pages) in
            pages = Pages(path: [.detail(1)])
        }
        let page = store.scope(of: Example.Detail.Module.self, id: 1)

        await page.dispatch(.deleteTapped, to: Example.Detail.State.self) { $0.isConfirmingDeletion = true }
        await page.dispatch(.editTapped(1), to: Example.Detail.State.self)
        await page.dispatch(.deletionDeclined, to: Example.Detail.State.self) { $0.isConfirmingDeletion = false }
        await page.dispatch(.editTapped(1), to: Example.Detail.State.self) { $0.edited = 1 }
        await page.dispatch(.deleteTapped, to: Example.Detail.State.self)
        await store.finish()
    }

    @Test("a row opens one page, however often it is tapped, and none once its item has been removed")
    func taps() async throws {
        let store = try await TestStore {
            Example.Rows()
            Example.App()
        }

        await store.dispatch(Example.Rows.Tapped(item: 1)) { (pages: inout Pages) in
            pages = Pages(path: [.detail(1)])
        }
        await store.receive(Pages.Action.push(.detail(1)))
        await store.dispatch(Example.Rows.Tapped(item: 1))
        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }
        await store.dispatch(Example.Items.State.Action.removed(1)) { (items: inout Example.Items.State) in
            items.items.remove(id: 1)
        }
        await store.dispatch(Example.Rows.Tapped(item: 1))
        await store.finish()
    }
}
