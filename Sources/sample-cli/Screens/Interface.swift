import Relux
import SampleDomain
import SampleServices

/// Brings keys, sizes and props together, one after the other, and shows what follows from them.
struct Interface: Sendable {
    /// What happens.
    private enum Event: Sendable {
        case terminal(FullScreen.Event)
        case items(ItemsProps)
        case pets(PetsProps)
        case users(UsersProps)
        case settings(SettingsProps)
        case frame(FrameProps, Session.State.Standing?)
        case remark(String)
    }

    private let store: Relux.Store
    private let screen: FullScreen
    private let environment: [String: String]
    private let events: AsyncStream<Event>
    private let happen: AsyncStream<Event>.Continuation
    private let items: ItemsContainer
    private let pets: PetsContainer
    private let users: UsersContainer
    private let settings: SettingsContainer
    private let frame: FrameContainer

    init(store: Relux.Store, screen: FullScreen, environment: [String: String]) {
        self.store = store
        self.screen = screen
        self.environment = environment
        let (events, happen) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.happen) = (events, happen)
        let say: @Sendable (String) -> Void = { happen.yield(.remark($0)) }
        items = ItemsContainer(dispatcher: store.dispatcher, say: say)
        pets = PetsContainer(dispatcher: store.dispatcher)
        users = UsersContainer(dispatcher: store.dispatcher)
        settings = SettingsContainer(dispatcher: store.dispatcher, say: say)
        frame = FrameContainer(dispatcher: store.dispatcher)
    }

    /// Runs until somebody leaves, and lets what they have done last be saved.
    ///
    /// - Returns: Whether nothing is lost.
    func run() async throws -> Bool {
        await withTaskGroup { group in
            group.addTask { for await event in screen.events { happen.yield(.terminal(event)) } }
            group.addTask { await items.follow(store) { happen.yield(.items($0)) } }
            group.addTask { await items.welcome(store) }
            group.addTask { await pets.follow(store) { happen.yield(.pets($0)) } }
            group.addTask { await users.follow(store) { happen.yield(.users($0)) } }
            group.addTask { await settings.follow(store) { happen.yield(.settings($0)) } }
            group.addTask { await frame.follow(store) { happen.yield(.frame($0, $1)) } }
            await show()
            group.cancelAll()
        }
        return try await frame.leave()
    }

    private func show() async {
        var root = root
        var standing: Session.State.Standing?
        screen.show(root.draw(size: screen.size), Palette(theme: root.props.theme, environment: environment))
        for await event in events {
            switch event {
            case .terminal(.keys(let keys)):
                for key in keys {
                    if root.handle(key) == .ends { return }
                }
            case .terminal(.disturbed): break
            case .items(let props): root.items.props = props
            case .pets(let props): root.pets.props = props
            case .users(let props): root.users.props = props
            case .settings(let props): root.settings.props = props
            case .frame(let props, let newStanding):
                root.props = props
                // Nothing that was begun with one's data goes on with another's.
                if standing != newStanding, let standing, standing != .unknown { root.startAnew() }
                standing = newStanding
            case .remark(let text): root.say(text)
            }
            root.appear()
            screen.show(root.draw(size: screen.size), Palette(theme: root.props.theme, environment: environment))
        }
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
