import Relux
import SampleDomain
import SampleServices

/// Connects keys, sizes, and properties with the screen, and draws one picture for everything that has happened in the
/// meantime.
///
/// It never waits for the terminal. Each picture includes the effects of all earlier keys.
struct Interface: Sendable {
    private let store: Relux.Store
    private let screen: FullScreen
    private let environment: [String: String]
    private let happenings = Happenings()
    private let items: ItemsContainer
    private let pets: PetsContainer
    private let users: UsersContainer
    private let settings: SettingsContainer
    private let frame: FrameContainer

    init(store: Relux.Store, screen: FullScreen, environment: [String: String]) {
        self.store = store
        self.screen = screen
        self.environment = environment
        let say: @Sendable (String) -> Void = { [happenings] text in happenings.add(.remark(text)) }
        items = ItemsContainer(dispatcher: store.dispatcher, say: say)
        pets = PetsContainer(dispatcher: store.dispatcher)
        users = UsersContainer(dispatcher: store.dispatcher)
        settings = SettingsContainer(dispatcher: store.dispatcher, say: say)
        frame = FrameContainer(dispatcher: store.dispatcher)
    }

    /// Ends the run as if the user left, whatever is on the screen.
    func end() { happenings.add(.end) }

    /// Runs until the user leaves, and returns whether the last changes have been saved.
    func run() async throws -> Bool {
        await withTaskGroup { group in
            group.addTask { for await event in screen.events { happenings.add(.terminal(event)) } }
            group.addTask { await items.follow(store) { happenings.add(.items($0)) } }
            group.addTask { await pets.follow(store) { happenings.add(.pets($0)) } }
            group.addTask { await users.follow(store) { happenings.add(.users($0)) } }
            group.addTask { await settings.follow(store) { happenings.add(.settings($0)) } }
            group.addTask { await frame.follow(store) { happenings.add(.frame($0, $1)) } }
            await show()
            group.cancelAll()
        }
        return try await frame.leave()
    }

    private func show() async {
        var root = root
        draw(&root)
        for await _ in happenings.wakes {
            let news = happenings.take()
            if root.take(news) == .ends || news.isLast { return }
            root.appear()
            draw(&root)
        }
    }

    private func draw(_ root: inout RootView) {
        screen.show(root.draw(size: screen.size), Palette(theme: root.props.theme, environment: environment))
    }

    private var root: RootView {
        RootView(
            callbacks: frame.callbacks,
            items: ItemsView(callbacks: items.callbacks),
            pets: PetsView(callbacks: pets.callbacks),
            users: UsersView(callbacks: users.callbacks),
            settings: SettingsView(callbacks: settings.callbacks)
        )
    }
}
