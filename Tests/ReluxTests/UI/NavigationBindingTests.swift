import Relux
import Testing

@Suite("Bindings of a navigation stack", .timeLimit(.minutes(10))) @MainActor
struct NavigationBindingTests {
    private typealias Stack = Relux.Navigation.Stack<String>

    private struct Module: Relux.Module {
        var states: [any Relux.State] { [Stack()] }
    }

    private let store: Relux.Store
    private let state: Relux.UI.ViewState<Stack>

    init() throws {
        store = try Relux.Store(modules: [Module()])
        state = try store.viewState(of: Stack.self)
    }

    @Test("a path that was popped by two removes two pages, and a late one no newer page")
    func path() async throws {
        for page in ["a", "b", "c"] { store.doNow(Stack.Action.push(page)) }
        let binding = state.pathBinding(\.self)

        binding.wrappedValue.removeLast(2)
        let popped = state.value.path
        store.doNow(Stack.Action.push("d"))
        binding.wrappedValue = [binding.wrappedValue[0]]

        #expect(popped == ["a"])
        // The binding showed a, b and c. Popping from b concerns nothing that is there now.
        #expect(state.value.path == ["a", "d"])
    }

    @Test("each layer of modal pages has a binding of its own")
    func layers() async throws {
        for page in ["lower", "upper"] { store.doNow(Stack.Action.present(page)) }
        let (lower, upper) = (state.modalBinding(\.self), state.modalBinding(\.self, layer: 1))
        let none = state.modalBinding(\.self, layer: 2)

        #expect(lower.wrappedValue?.page == "lower")
        #expect(upper.wrappedValue?.page == "upper")
        #expect(none.wrappedValue == nil)
        upper.wrappedValue = nil
        #expect(state.value.modals.map(\.page) == ["lower"])
        lower.wrappedValue = nil
        #expect(state.value.isEmpty)
    }
}
