import Relux
import SampleDomain
import SampleServices

/// Connects keys, sizes, and properties with the screen, and draws one picture for everything that has happened in the
/// meantime.
///
/// It never waits for the terminal. Each picture includes the effects of all earlier keys.
struct Interface: Sendable {
    let store: Relux.Store
    let screen: FullScreen
    let environment: [String: String]
    private let happenings = Happenings()

    /// Ends the run as if the user left, whatever is on the screen.
    func end() { happenings.add(.end) }

    /// Runs until the user leaves, and returns whether the last changes have been saved.
    func run() async throws -> Bool {
        let dispatcher = store.dispatcher
        let say: @Sendable (String) -> Void = { [happenings] text in happenings.add(.remark(text)) }
        let items = ItemsContainer(dispatcher: dispatcher, say: say)
        let pets = PetsContainer(dispatcher: dispatcher)
        let users = UsersContainer(dispatcher: dispatcher)
        let settings = SettingsContainer(dispatcher: dispatcher, say: say)
        let frame = FrameContainer(dispatcher: dispatcher)
        let root = RootView(
            callbacks: frame.callbacks,
            items: ItemsView(callbacks: items.callbacks),
            pets: PetsView(callbacks: pets.callbacks),
            users: UsersView(callbacks: users.callbacks),
            settings: SettingsView(callbacks: settings.callbacks)
        )
        await withTaskGroup { group in
            group.addTask { for await event in screen.events { happenings.add(.terminal(event)) } }
            group.addTask { await items.follow(store) { happenings.add(.items($0)) } }
            group.addTask { await pets.follow(store) { happenings.add(.pets($0)) } }
            group.addTask { await users.follow(store) { happenings.add(.users($0)) } }
            group.addTask { await settings.follow(store) { happenings.add(.settings($0)) } }
            group.addTask { await frame.follow(store) { happenings.add(.frame($0, $1)) } }
            await show(root)
            group.cancelAll()
        }
        return try await frame.leave()
    }

    private func show(_ root: RootView) async {
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
}
