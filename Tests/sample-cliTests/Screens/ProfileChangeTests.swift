import Relux
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The effects of a sign-in elsewhere on what a user is doing.
@Suite(.timeLimit(.minutes(10))) struct ProfileChangeTests {
    private func props(_ items: Item..., standing: Session.State.Standing) -> ItemsProps {
        let list = Items.List(items)
        return ItemsProps(list: list, whole: list, isLoaded: true, standing: standing)
    }

    private func root(_ callbacks: ItemsCallbacks = ItemsCallbacks()) -> RootView {
        RootView(
            callbacks: RootCallbacks(), items: ItemsView(callbacks: callbacks),
            pets: PetsView(callbacks: PetsCallbacks()),
            users: UsersView(), settings: SettingsView(callbacks: SettingsCallbacks()))
    }

    private func bottom(_ root: inout RootView) -> String {
        root.lines(TerminalSize(rows: 8, columns: 60)).last?.seen(width: 60) ?? ""
    }

    @Test func `keys before a change of profile apply to the old data, later ones to the new`() async {
        let (ids, id) = AsyncStream.makeStream(of: Item.ID.self)
        var root = root(ItemsCallbacks(turn: .init { given in id.yield(given) }))
        root.items.props = props(.sample(1), standing: .nobody)

        for key: Key in [.character(" "), .character("d")] { root.handle(key) }
        root.items.props = props(.sample(2), standing: .unknown)
        for key: Key in [.character("y"), .character(" ")] { root.handle(key) }

        #expect(bottom(&root).hasPrefix("Space done"), "the question is gone")
        var turned: [Item.ID] = []
        for await one in ids.prefix(2) { turned.append(one) }
        #expect(turned == [.sample(1), .sample(2)])
    }

    /// The text used to be dropped, and the rest of its keys were commands for the other profile's list.
    @Test func `a text that is being written survives a change of profile, and isn't added without a question`() async {
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        var root = root(
            ItemsCallbacks(
                add: .init { title, _ in call.yield("add \(title)") }, rename: .init { _, _ in call.yield("rename") },
                turn: .init { _ in call.yield("turn") }, delete: .init { _ in call.yield("delete") }))
        var prompts: [String] = []
        root.items.props = props(.sample(1), standing: .nobody)
        for key: Key in [.character("a"), .character("m")] { root.handle(key) }

        root.items.props = props(.sample(2), standing: .unknown)
        for key: Key in [.character("d"), .character(" "), .character("y")] { root.handle(key) }
        prompts.append(bottom(&root))
        for key in [Key.enter, .character("n"), .character("a"), .character("z")] {
            root.handle(key)
            prompts.append(bottom(&root))
        }
        root.items.props = props(.sample(2), standing: .nobody)
        root.handle(.enter)

        #expect(prompts[0] == "New item (other profile): md y")
        #expect(prompts[1] == "Use “md y” for this profile instead? (y/n)")
        #expect(prompts[2].hasPrefix("Space done") && prompts[3] == "New item:" && prompts[4] == "New item: z")
        #expect(await calls.first { _ in true } == "add z")
    }

    @Test func `a title that is being changed is changed on no other list`() {
        var root = root()
        root.items.props = props(.sample(1), standing: .nobody)
        for key: Key in [.character("e"), .character("!")] { root.handle(key) }

        root.items.props = props(standing: .unknown)
        root.handle(.character("d"))
        let kept = bottom(&root)
        for key: Key in [.enter, .character("y")] { root.handle(key) }

        #expect(kept == "Title (other profile): Item 1!d")
        #expect(bottom(&root).hasPrefix("Space done"))
    }

    @Test func `a setting that is being written is set for no other profile without a question`() throws {
        let table = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)
        var view = SettingsView(
            props: SettingsProps(table: table, standing: .nobody), callbacks: SettingsCallbacks())
        for key: Key in [.enter, .character("A")] { _ = view.handle(key) }

        view.props = SettingsProps(table: table, standing: .unknown)
        let kept = view.prompt
        _ = view.handle(.enter)

        #expect(kept == .text(label: "Display name (other profile):", LineEditor("A")))
        #expect(view.prompt == .question("Use “A” for this profile instead? (y/n)"))
    }

    @Test func `the first profile to be known changes nothing`() {
        var root = root()
        root.items.props = props(standing: .unknown)
        root.handle(.character("a"))

        root.items.props = props(.sample(1), standing: .nobody)
        root.handle(.character("b"))

        #expect(bottom(&root) == "New item: b")
    }

    @Test func `a question about leaving is gone`() {
        var root = root()
        root.props = RootProps(standing: .nobody, isAtRisk: true)
        root.handle(.character("q"))
        let question = bottom(&root)

        root.props = RootProps(standing: .unknown, isAtRisk: true)
        root.handle(.character("y"))

        #expect(question == "Changes aren't saved. Leave, and lose them? y/n")
        #expect(!root.isLeft && bottom(&root).hasPrefix("Space done"))
    }
}
