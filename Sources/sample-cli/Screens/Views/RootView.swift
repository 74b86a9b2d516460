import Relux
import SampleDomain
import SampleServices

/// The contents around every screen.
struct RootProps: Relux.UI.ViewProps {
    /// Which profile is signed in.
    var standing = Session.State.Standing.unknown
    var listName = ""
    var theme = UserSettings.Theme.pilbara
    /// The current troubles, each in sentences, the most important first.
    var troubles: [[String]] = []
    var canRetry = false
    /// Whether there are changes that can't be saved and would be lost.
    var isAtRisk = false
}

/// The actions that are available on every screen.
struct RootCallbacks: Relux.UI.ViewCallbacks {
    var retry = Relux.UI.ViewCallback<Void>.noop
}

/// The whole screen: the tabs at the top, the current screen, and troubles and hints at the bottom.
struct RootView: Sendable {
    enum Tab: Int, Sendable, CaseIterable {
        case items, pets, users, settings
    }

    var props = RootProps() {
        didSet { if props.standing != oldValue.standing { isAskingToLeave = false } }
    }
    let callbacks: RootCallbacks
    var items: ItemsView
    var pets: PetsView
    var users: UsersView
    var settings: SettingsView
    private(set) var tab = Tab.items
    /// The remark about the last action, until the next key.
    private(set) var remark: String?
    private(set) var isHelpOpen = false
    private(set) var isAskingToLeave = false
    /// Whether the user has left.
    private(set) var isLeft = false

    mutating func say(_ remark: String) {
        self.remark = remark
    }

    /// Requests the data of the visible screen if they haven't been requested yet.
    mutating func appear() {
        if tab == .pets { pets.appear() }
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
        case .character("q") where props.isAtRisk: isAskingToLeave = true
        case .character("q"): isLeft = true
        case .character("?"): isHelpOpen = true
        case .character("r") where props.canRetry: callbacks.retry.fire()
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
