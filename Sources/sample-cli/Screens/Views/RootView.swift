import SampleDomain
import SampleServices

/// The whole screen: the tabs at the top, the current screen, and troubles and hints at the bottom.
struct RootView: Sendable {
    enum Tab: Int, Sendable, CaseIterable {
        case items, pets, users, settings
    }

    enum Outcome: Sendable, Equatable {
        case goesOn
        case ends
    }

    var props: FrameProps
    let callbacks: FrameCallbacks
    var items: ItemsView
    var pets: PetsView
    var users: UsersView
    var settings: SettingsView
    private(set) var tab = Tab.items
    /// The remark about the last action, until the next key.
    private(set) var remark: String?
    private var isHelpOpen = false
    private var isAskingToLeave = false
    private var hasAskedForPets = false

    init(
        props: FrameProps = FrameProps(), callbacks: FrameCallbacks,
        items: ItemsView, pets: PetsView, users: UsersView, settings: SettingsView
    ) {
        self.props = props
        self.callbacks = callbacks
        self.items = items
        self.pets = pets
        self.users = users
        self.settings = settings
    }

    mutating func say(_ remark: String) {
        self.remark = remark
    }

    /// Requests the data of the visible screen if they haven't been requested yet.
    mutating func appear() {
        if pets.props.listing != nil { hasAskedForPets = false }
        // Requested only once. The answer arrives some events later, and another request would cancel the first one.
        guard tab == .pets, pets.props.listing == nil, !hasAskedForPets else { return }
        hasAskedForPets = true
        pets.callbacks.load.fire()
    }

    /// Prepares every screen for the data of another profile. Questions are gone. A text that is being written is kept,
    /// because the rest of its keys would otherwise be commands.
    mutating func followProfileChange() {
        items = items.afterProfileChange()
        pets = PetsView(props: pets.props, callbacks: pets.callbacks)
        users = UsersView(props: users.props, callbacks: users.callbacks)
        settings = settings.afterProfileChange()
        isAskingToLeave = false
        hasAskedForPets = false
    }

    mutating func handle(_ key: Key) -> Outcome {
        remark = nil
        if isAskingToLeave {
            isAskingToLeave = false
            return key.isYes ? .ends : .goesOn
        }
        if isHelpOpen {
            isHelpOpen = false
            return .goesOn
        }
        // A screen with a question or a text input receives every key.
        if screen.prompt != nil || !isMeantForAll(key) {
            if handleOnScreen(key) { return .goesOn }
        }
        switch key {
        case .character("q"):
            guard props.isAtRisk else { return .ends }
            isAskingToLeave = true
        case .character("?"): isHelpOpen = true
        case .character("r") where props.canRetry: callbacks.retry.fire()
        case .tab: tab = tab.neighbour(1)
        case .backTab: tab = tab.neighbour(-1)
        case .character(let character): tab = character.wholeNumberValue.flatMap { Tab(rawValue: $0 - 1) } ?? tab
        default: break
        }
        return .goesOn
    }

    private var screen: any ScreenView {
        switch tab {
        case .items: items
        case .pets: pets
        case .users: users
        case .settings: settings
        }
    }

    private func isMeantForAll(_ key: Key) -> Bool { key == .tab || key == .backTab }

    private mutating func handleOnScreen(_ key: Key) -> Bool {
        switch tab {
        case .items: items.handle(key)
        case .pets: pets.handle(key)
        case .users: users.handle(key)
        case .settings: settings.handle(key)
        }
    }
}

extension RootView.Tab {
    /// The tab at a distance, wrapping around.
    fileprivate func neighbour(_ distance: Int) -> RootView.Tab {
        let all = Self.allCases
        return all[(rawValue + distance + all.count) % all.count]
    }
}

// MARK: - Drawing

extension RootView {
    /// Draws the whole screen. Drawing may update the scroll positions of the screens.
    mutating func draw(size: TerminalSize) -> Canvas {
        var canvas = Canvas(size)
        let all = Area(size)
        // On a terminal with few rows, the screen itself and its prompt take precedence.
        let hasHead = all.height >= 4
        let troubles = troubleLines(width: all.width, limit: all.height >= 5 ? max(1, all.height / 4) : 0)
        let hasFoot = all.height >= 2 || prompt != nil
        if hasHead { drawTabs(on: &canvas, in: all.line(0)) }
        let top = hasHead ? 1 : 0
        let height = all.height - top - troubles.count - (hasFoot ? 1 : 0)
        drawScreen(on: &canvas, in: all.rows(from: top, height))
        canvas.write(troubles, in: all.rows(from: all.height - troubles.count - 1, troubles.count))
        if hasFoot { drawFoot(on: &canvas, in: all.line(all.height - 1)) }
        return canvas
    }

    private var prompt: Prompt? { isAskingToLeave ? .question(Texts.reallyLeave) : screen.prompt }

    private mutating func drawScreen(on canvas: inout Canvas, in area: Area) {
        if isHelpOpen {
            for (line, place) in zip(Texts.keys, area.lines) {
                let rest = canvas.write(line.keys.padded(to: 24), in: place, .accent)
                canvas.write(line.meaning, in: rest)
            }
            return
        }
        switch tab {
        case .items: items.draw(on: &canvas, in: area)
        case .pets: pets.draw(on: &canvas, in: area)
        case .users: users.draw(on: &canvas, in: area)
        case .settings: settings.draw(on: &canvas, in: area)
        }
    }

    private func drawTabs(on canvas: inout Canvas, in line: Area) {
        let name = props.isProfileKnown ? props.profile ?? Texts.nobody : ""
        let nameWidth = name.visible.columns
        // The profile is shown at the right if the tabs leave enough space.
        let tabsWidth = Tab.allCases.reduce(0) { $0 + Texts.title($1, props).visible.columns + 4 }
        let hasName = tabsWidth + nameWidth < line.width
        var rest = hasName ? line.columns(to: line.width - nameWidth - 1) : line
        for tab in Tab.allCases {
            let look = tab == self.tab ? Look.title.selected(true) : .faint
            rest = canvas.write(" \(tab.rawValue + 1) \(Texts.title(tab, props)) ", in: rest, look)
        }
        if hasName { canvas.write(name, in: line.columns(from: line.width - nameWidth), .accent) }
    }

    private func drawFoot(on canvas: inout Canvas, in line: Area) {
        if let prompt {
            prompt.draw(on: &canvas, in: line)
        } else if let remark {
            canvas.write(remark, in: line, .accent)
        } else {
            canvas.write(isHelpOpen ? Texts.helpHints : "\(screen.hints)  \(Texts.commonHints)", in: line, .faint)
        }
    }

    private func troubleLines(width: Int, limit: Int) -> [Line] {
        guard let first = props.troubles.first else { return [] }
        let retry = props.canRetry ? [Texts.retryHint] : []
        let rest = props.troubles.count > 1 ? [Texts.moreTroubles(props.troubles.count - 1)] : []
        let text = (retry + first + rest).joined(separator: " ")
        return text.wrapped(to: width, limit: limit).map { Line(text: $0, look: .failure) }
    }
}

extension RootView {
    /// Updates the view with everything that has happened since the last picture.
    ///
    /// If the profile changed, earlier keys apply to what was displayed before, and nothing that was started with one
    /// profile's data acts on another's without a question.
    mutating func take(_ news: Happenings.News) -> Outcome {
        let early = news.turn ?? 0
        if heed(news.sayings[..<early]) == .ends { return .ends }
        if let props = news.items { items.props = props }
        if let props = news.pets { pets.props = props }
        if let props = news.users { users.props = props }
        if let props = news.settings { settings.props = props }
        if let props = news.frame { self.props = props }
        if news.turn != nil { followProfileChange() }
        return heed(news.sayings[early...])
    }

    private mutating func heed(_ sayings: ArraySlice<Happenings.Saying>) -> Outcome {
        for saying in sayings {
            switch saying {
            case .keys(let keys):
                for key in keys where handle(key) == .ends { return .ends }
            case .remark(let text): say(text)
            }
        }
        return .goesOn
    }
}
