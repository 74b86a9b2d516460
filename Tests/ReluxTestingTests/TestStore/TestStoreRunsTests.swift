import Relux
import ReluxTesting
import Testing

@Suite("TestStore: hooks, last actions, and opening actions", .timeLimit(.minutes(10)))
struct TestStoreRunsTests {
    @Test("what accompanies a run, and its last action, are received")
    func hooks() async throws {
        let store = try await TestStore { Tray.Module() }

        await store.dispatch(Tray.Load(item: 1))
        await store.receive(Tray.State.Action.began) { (tray: inout Tray.State) in tray.isLoading = true }
        await store.dispatch(Tray.Load(item: 2))
        await store.receive(Tray.State.Action.dropped)
        await store.advance(by: .seconds(1))
        await store.receive(Tray.State.Action.loaded(1)) { (tray: inout Tray.State) in
            tray.isLoading = false
            tray.items = [1]
        }
        await store.finish()
    }

    @Test("a failure that has an action needs no expectation")
    func failure() async throws {
        let store = try await TestStore { Tray.Module() }

        await store.dispatch(Tray.Load(item: -1))
        await store.receive(Tray.State.Action.began) { (tray: inout Tray.State) in tray.isLoading = true }
        await store.receive(Tray.State.Action.failed) { (tray: inout Tray.State) in tray.isLoading = false }
        await store.finish()
    }

    @Test("what accompanies a run and isn't received fails the test")
    func overlooked() async throws {
        let issues = try await recordedIssues {
            let store = try await TestStore { Tray.Module() }
            await store.dispatch(Tray.Load(item: -1))
            await store.finish()
        }

        #expect(issues.contains { $0.text.contains("began") && $0.text.contains("failed") })
    }

    @Test("a run whose body goes on after its last action fails the test, as one that hasn't ended")
    func goesOn() async throws {
        let issues = try await recordedIssues {
            let loader = Tray.Loader { context in try await context.sleep(for: .seconds(60)) }
            let store = try await TestStore { Tray.Module(loader: loader) }
            await store.dispatch(Tray.Load(item: 1))
            await store.receive(Tray.State.Action.began) { (tray: inout Tray.State) in tray.isLoading = true }
            await store.advance(by: .seconds(1))
            await store.receive(Tray.State.Action.loaded(1)) { (tray: inout Tray.State) in
                tray.isLoading = false
                tray.items = [1]
            }
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Tray.Loader") == true)
    }

    @Test("an opening action is received")
    func openings() async throws {
        let store = try await TestStore { Tray.Module(opens: true) }

        await store.receive(Tray.State.Action.opened) { (tray: inout Tray.State) in tray.isOpen = true }
        await store.finish()
    }

    @Test("that of a child belongs to the step that opened it")
    func childOpenings() async throws {
        struct Page: Relux.Module, Identifiable {
            let id: Int
            var states: [any Relux.State] { [Drawer.Slip()] }
            var openingActions: [any Relux.Action] { [Drawer.Slip.Action.write("opened")] }
        }
        struct Cabinet: Relux.Module {
            var states: [any Relux.State] { [Drawer.State()] }
            var children: [Relux.Children] { [.optional(of: Drawer.State.self, \.open) { id, _ in Page(id: id) }] }
        }
        let store = try await TestStore { Cabinet() }
        let page = store.scope(of: Page.self, id: 1)

        let change = page.change { (slip: inout Drawer.Slip) in slip.text = "opened" }
        await store.dispatch(Drawer.State.Action.open(1), changing: [change]) { (drawer: inout Drawer.State) in
            drawer.open = 1
        }
        await page.receive(Drawer.Slip.Action.write("opened"))
        await store.finish()
    }

    @Test("a reset's last action is received")
    func resets() async throws {
        let store = try await TestStore {
            Tray.Module(loader: Tray.Loader { _ in })
            Sessions()
        }

        await store.dispatch(Sessions.End())
        await store.receive(Tray.State.Action.opened) { (tray: inout Tray.State) in tray.isOpen = true }
        await store.finish()
    }

    /// A feature that begins a new session in one step.
    private struct Sessions: Relux.Module {
        struct End: Relux.Effect, Hashable {}
        struct Ender: Relux.Saga {
            func run(_ trigger: End, in context: Relux.SagaContext) async throws {
                await context.reset(then: Tray.State.Action.opened)
            }
        }
        var sagas: [any Relux.Saga] { [Ender()] }
    }
}
