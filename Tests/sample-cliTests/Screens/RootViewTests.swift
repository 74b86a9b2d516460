import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The frame around the screens, without a terminal and without a store.
@Suite struct RootViewTests {
    private func root(_ props: FrameProps = FrameProps()) -> RootView {
        RootView(
            props: props, callbacks: .noop, items: ItemsView(callbacks: .noop), pets: PetsView(callbacks: .noop),
            users: UsersView(callbacks: .noop), settings: SettingsView(callbacks: .noop))
    }

    private func lines(_ root: inout RootView, rows: Int = 8, columns: Int = 60) -> [String] {
        let canvas = root.draw(size: TerminalSize(rows: rows, columns: columns))
        return (0..<rows).map(canvas.text(inRow:))
    }

    @Test func `digits and the tab key choose a screen`() {
        var root = root()

        for (key, tab) in [
            (.character("3"), .users), (.tab, .settings), (.tab, .items), (.backTab, .settings),
            (.character("1"), .items),
            (.character("9"), .items), (.character("x"), .items),
        ] as [(Key, RootView.Tab)] {
            #expect(root.handle(key) == .goesOn)
            #expect(root.tab == tab)
        }
    }

    @Test func `the list of keys fits on the usual terminal`() {
        var root = root()
        _ = root.handle(.character("?"))

        let shown = lines(&root, rows: 24, columns: 80)

        for (key, meaning) in Texts.keys {
            #expect(shown.contains { $0.hasPrefix(key) && $0.hasSuffix(meaning) }, "\(key)")
        }
    }

    @Test func `a text input receives all keys`() {
        var root = root()

        for key: Key in [.character("a"), .character("q"), .character("2"), .tab, .character("?")] {
            #expect(root.handle(key) == .goesOn)
        }

        #expect(root.tab == .items)
        #expect(lines(&root).last == "New item: q2?")
        #expect(root.handle(.escape) == .goesOn && root.handle(.character("q")) == .ends)
    }

    @Test func `leaving asks for confirmation if changes would be lost`() {
        var root = root(FrameProps(isAtRisk: true))

        let asked = root.handle(.character("q"))
        let line = lines(&root).last
        let refused = root.handle(.character("n"))
        _ = root.handle(.character("q"))

        #expect(asked == .goesOn && refused == .goesOn)
        #expect(line == "Changes aren't saved. Leave, and lose them? y/n")
        #expect(root.handle(.character("y")) == .ends)
    }

    @Test func `failures are above the bottom line, with the possible action first`() {
        let failure = FrameProps(troubles: [["It failed.", "The disk is full."], ["More."]], canRetry: true)
        var root = root(failure)

        #expect(lines(&root)[6] == "(r tries again) It failed. The disk is full. (and 1 more)")
        let narrow = lines(&root, rows: 12, columns: 30)
        #expect(Array(narrow[9...10]) == ["(r tries again) It failed. The", "disk is full. (and 1 more)"])
    }

    @Test func `the profile is at the top, as soon as it is known`() {
        var (unknown, nobody) = (root(), root(FrameProps(isProfileKnown: true)))
        var ada = root(FrameProps(profile: "Ada", isProfileKnown: true))

        #expect(lines(&unknown).first == " 1 Items  2 Pets  3 Users  4 Settings")
        #expect(lines(&nobody).first?.hasSuffix(" nobody signed in") == true)
        #expect(lines(&ada).first?.hasSuffix(" Ada") == true)
    }

    @Test func `the last remark disappears with the next key`() {
        var root = root()
        root.say("Nothing to undo.")

        let said = lines(&root).last
        _ = root.handle(.unknown)

        #expect(said == "Nothing to undo.")
        #expect(lines(&root).last?.hasPrefix("Space done") == true)
    }

    @Test func `help stays until any key`() {
        var root = root()

        _ = root.handle(.character("?"))
        let help = lines(&root)
        _ = root.handle(.character("q"))

        #expect(help.contains("Space                   complete or reopen; change a setting"))
        #expect(!lines(&root).contains { $0.contains("complete or reopen") })
    }

    @Test(arguments: [(1, 1), (1, 80), (2, 2), (3, 10), (4, 4), (5, 20), (20, 1), (7, 13)])
    func `every screen can be drawn on the smallest terminals`(rows: Int, columns: Int) {
        let props = FrameProps(
            profile: "Ada", isProfileKnown: true, listName: "牛乳", troubles: [["Something failed.", "Do something."]],
            canRetry: true)
        var root = root(props)
        root.settings.props.table = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)
        for tab in "1234" {
            _ = root.handle(.character(tab))
            for key: Key in [.down, .end, .character("?"), .escape, .character("a"), .character("牛"), .escape] {
                #expect(lines(&root, rows: rows, columns: columns).allSatisfy { $0.columns <= columns })
                _ = root.handle(key)
            }
        }
    }
}
