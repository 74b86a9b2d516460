/// The whole screen: the tabs at the top, the current screen, and troubles and hints at the bottom.
@MainActor struct RootView {
    enum Tab: Int, Sendable, CaseIterable {
        case items, pets, users, settings
    }

    var props = RootProps()
    var items = ItemsView()
    var pets = PetsView()
    var users = UsersView()
    var settings = SettingsView()
    private(set) var tab = Tab.items
    /// A remark about the last action, until the next key.
    var remark: String?
    /// Why something can't be saved, until it is.
    var unsaved: String?
    /// Why the list and the settings can't be loaded. It is shown for as long as there are none.
    var unloaded: String?
    private var isRetryWanted = false
    private(set) var isHelpOpen = false
    private(set) var isAskingToLeave = false
    /// Whether the user has left.
    private(set) var isLeft = false

    mutating func fill(items props: ItemsProps, callbacks: ItemsCallbacks?) {
        items.fill(props, callbacks)
        if let dropped = items.takeDropped() { remark = Texts.dropped(dropped) }
    }

    mutating func fill(pets props: PetsProps, callbacks: PetsCallbacks) {
        pets.fill(props, callbacks)
        if tab == .pets { pets.appear() }
    }

    mutating func fill(users props: UsersProps) { users.fill(props) }

    mutating func fill(settings props: SettingsProps, callbacks: SettingsCallbacks) {
        settings.fill(props, callbacks)
        if let dropped = settings.takeDropped() { remark = Texts.dropped(dropped) }
    }

    /// Whether the user wants to save again what could not be saved, once.
    mutating func takeRetry() -> Bool {
        defer { isRetryWanted = false }
        return isRetryWanted
    }

    /// Notes that everything is saved.
    mutating func noteSaved() {
        unsaved = nil
        isLeft = isLeft || isAskingToLeave
    }

    mutating func handle(_ key: Key) {
        remark = nil
        if isAskingToLeave {
            isAskingToLeave = false
            isLeft = key.isYes
        } else if isHelpOpen {
            isHelpOpen = false
        } else if screen.prompt != nil || !key.isForAllScreens {
            // A screen with a question or a text input receives every key.
            if !handleOnScreen(key) { handleForAll(key) }
        } else {
            handleForAll(key)
        }
    }

    private mutating func handleForAll(_ key: Key) {
        switch key {
        case .character("q") where unsaved != nil:
            // If that saves it, there is nothing to ask.
            (isAskingToLeave, isRetryWanted) = (true, true)
        case .character("q"): isLeft = true
        case .character("?"): isHelpOpen = true
        case .character("r"): isRetryWanted = unsaved != nil
        case .tab: show(tabAt: tab.rawValue + 1)
        case .backTab: show(tabAt: tab.rawValue + Tab.allCases.count - 1)
        case .character(let character): tab = character.wholeNumberValue.flatMap { Tab(rawValue: $0 - 1) } ?? tab
        default: break
        }
    }

    private mutating func show(tabAt number: Int) {
        tab = Tab.allCases[number % Tab.allCases.count]
    }

    var screen: any ScreenView {
        switch tab {
        case .items: items
        case .pets: pets
        case .users: users
        case .settings: settings
        }
    }

    private mutating func handleOnScreen(_ key: Key) -> Bool {
        switch tab {
        case .items: items.handle(key)
        case .pets: pets.handle(key)
        case .users: users.handle(key)
        case .settings: settings.handle(key)
        }
    }
}

extension Key {
    fileprivate var isForAllScreens: Bool { self == .tab || self == .backTab }
}
