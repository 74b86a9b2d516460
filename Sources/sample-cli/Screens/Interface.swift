import Relux
import SampleDomain
import SampleServices

/// Runs the full-screen interface: everything that happens is an event, and each event leads to a picture.
///
/// It never waits for the terminal. Keys and props are handled in the order of their arrival.
struct Interface: Sendable {
    enum Event: Sendable {
        case keys([Key])
        /// New props for a view, or a remark about the last action.
        case change(@Sendable (inout RootView) -> Void)
        case end
    }

    let store: Relux.Store
    let screen: FullScreen
    let environment: [String: String]
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init(store: Relux.Store, screen: FullScreen, environment: [String: String]) {
        (self.store, self.screen, self.environment) = (store, screen, environment)
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
    }

    /// Ends the run as if the user left, whatever is on the screen.
    func end() { continuation.yield(.end) }

    /// Runs until the user leaves, and returns whether the last changes have been saved.
    func run() async throws -> Bool {
        let dispatcher = store.dispatcher
        let say: @Sendable (String) -> Void = { text in change { $0.say(text) } }
        let items = ItemsContainer(dispatcher: dispatcher, say: say) { id in change { $0.items.moveCursor(to: id) } }
        let pets = PetsContainer(dispatcher: dispatcher)
        let users = UsersContainer()
        let settings = SettingsContainer(dispatcher: dispatcher, say: say)
        let root = RootContainer(dispatcher: dispatcher)
        let view = RootView(
            callbacks: root.callbacks,
            items: ItemsView(callbacks: items.callbacks),
            pets: PetsView(callbacks: pets.callbacks),
            users: UsersView(),
            settings: SettingsView(callbacks: settings.callbacks)
        )
        screen.enter(keys: { continuation.yield(.keys($0)) }, resized: { change { _ in } })
        await withTaskGroup { group in
            group.addTask { await items.follow(store) { props in change { $0.items.props = props } } }
            group.addTask { await pets.follow(store) { props in change { $0.pets.props = props } } }
            group.addTask { await users.follow(store) { props in change { $0.users.props = props } } }
            group.addTask { await settings.follow(store) { props in change { $0.settings.props = props } } }
            group.addTask { await root.follow(store) { props in change { $0.props = props } } }
            await show(view)
            group.cancelAll()
        }
        return try await root.leave()
    }

    private func change(_ change: @escaping @Sendable (inout RootView) -> Void) {
        continuation.yield(.change(change))
    }

    private func show(_ view: RootView) async {
        var view = view
        draw(&view)
        for await event in events {
            switch event {
            case .keys(let keys): for key in keys where !view.isLeft { view.handle(key) }
            case .change(let change): change(&view)
            case .end: return
            }
            if view.isLeft { return }
            view.appear()
            draw(&view)
        }
    }

    private func draw(_ view: inout RootView) {
        let size = screen.size
        let palette = Palette(theme: view.props.theme, environment: environment)
        screen.show(view.lines(size).map { palette.output(of: $0, width: size.columns) })
    }
}
