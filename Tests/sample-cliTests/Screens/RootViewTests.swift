import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The frame around the screens, without a terminal and without a store.
@Suite struct RootViewTests {
    private func ada() throws -> Session.State.Standing {
        .signedIn(Profile(name: try ProfileName("Ada"), folder: "profiles/Ada"))
    }

    private func root(_ props: RootProps = RootProps()) -> RootView {
        RootView(
            props: props, callbacks: RootCallbacks(), items: ItemsView(callbacks: ItemsCallbacks()),
            pets: PetsView(callbacks: PetsCallbacks()), users: UsersView(),
            settings: SettingsView(callbacks: SettingsCallbacks()))
    }

    private func lines(_ root: inout RootView, rows: Int = 8, columns: Int = 60) -> [String] {
        root.lines(TerminalSize(rows: rows, columns: columns)).map { $0.seen(width: columns) }
    }

    @Test func `digits and the tab key choose a screen`() {
        var root = root()

        for (key, tab) in [
            (.character("3"), .users), (.tab, .settings), (.tab, .items), (.backTab, .settings),
            (.character("1"), .items),
            (.character("9"), .items), (.character("x"), .items),
        ] as [(Key, RootView.Tab)] {
            root.handle(key)
            #expect(root.tab == tab && !root.isLeft)
        }
    }

    @Test func `the list of keys fits on the usual terminal`() {
        var root = root()
        root.handle(.character("?"))

        let shown = lines(&root, rows: 24, columns: 80)

        for (key, meaning) in Texts.keys {
            #expect(shown.contains { $0.hasPrefix(key) && $0.hasSuffix(meaning) }, "\(key)")
        }
    }

    @Test func `a text input receives all keys`() {
        var root = root()

        for key: Key in [.character("a"), .character("q"), .character("2"), .tab, .character("?")] {
            root.handle(key)
        }

        #expect(root.tab == .items)
        #expect(lines(&root).last == "New item: q2?")
        root.handle(.escape)
        #expect(!root.isLeft)
        root.handle(.character("q"))
        #expect(root.isLeft)
    }

    @Test func `leaving asks for confirmation if changes would be lost`() {
        var root = root(RootProps(isAtRisk: true))

        root.handle(.character("q"))
        let line = lines(&root).last
        for key in "nq" { root.handle(.character(key)) }
        let isLeftTooEarly = root.isLeft
        root.handle(.character("y"))

        #expect(line == "Changes aren't saved. Leave, and lose them? y/n")
        #expect(!isLeftTooEarly && root.isLeft)
    }

    @Test func `failures are above the bottom line, with the possible action first`() {
        let failure = RootProps(troubles: [["It failed.", "The disk is full."], ["More."]], canRetry: true)
        var root = root(failure)

        #expect(lines(&root)[6] == "(r tries again) It failed. The disk is full. (and 1 more)")
        let narrow = lines(&root, rows: 12, columns: 30)
        #expect(Array(narrow[9...10]) == ["(r tries again) It failed. The", "disk is full. (and 1 more)"])
    }

    @Test func `the profile is at the top, as soon as it is known`() throws {
        var (unknown, nobody) = (root(), root(RootProps(standing: .nobody)))
        var ada = root(RootProps(standing: try ada()))

        #expect(lines(&unknown).first == " 1 Items  2 Pets  3 Users  4 Settings")
        #expect(lines(&nobody).first?.hasSuffix(" nobody signed in") == true)
        #expect(lines(&ada).first?.hasSuffix(" Ada") == true)
    }

    @Test func `the last remark disappears with the next key`() {
        var root = root()
        root.say("Nothing to undo.")

        let said = lines(&root).last
        root.handle(.unknown)

        #expect(said == "Nothing to undo.")
        #expect(lines(&root).last?.hasPrefix("Space done") == true)
    }

    @Test func `help stays until any key`() {
        var root = root()

        root.handle(.character("?"))
        let help = lines(&root)
        root.handle(.character("q"))

        #expect(help.contains("Space                   complete or reopen; change a setting"))
        #expect(!lines(&root).contains { $0.contains("complete or reopen") })
    }

    @Test(arguments: [(1, 1), (1, 80), (2, 2), (3, 10), (4, 4), (5, 20), (20, 1), (7, 13)])
    func `every screen can be drawn on the smallest terminals`(rows: Int, columns: Int) throws {
        let props = RootProps(
            standing: try ada(), listName: "牛乳", troubles: [["Something failed.", "Do something."]],
            canRetry: true)
        var root = root(props)
        root.settings.props.table = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)
        for tab in "1234" {
            root.handle(.character(tab))
            for key: Key in [.down, .end, .character("?"), .escape, .character("a"), .character("牛"), .escape] {
                #expect(lines(&root, rows: rows, columns: columns).allSatisfy { $0.columns <= columns })
                root.handle(key)
            }
        }
    }
}
