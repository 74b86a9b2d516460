import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The events that arrive while the interface is busy, and their effects.
@Suite(.timeLimit(.minutes(5))) struct HappeningsTests {
    private let happenings = Happenings()

    private func props(_ items: Item...) -> ItemsProps {
        let list = Items.List(items)
        return ItemsProps(list: list, whole: list, isLoaded: true)
    }

    private func add(_ keys: Key...) { happenings.add(.terminal(.keys(keys))) }

    private func enter(_ standing: Session.State.Standing, _ profile: String? = nil) {
        happenings.add(.frame(FrameProps(profile: profile), standing))
    }

    private func root(_ callbacks: ItemsCallbacks = .noop) -> RootView {
        RootView(
            callbacks: .noop, items: ItemsView(callbacks: callbacks), pets: PetsView(callbacks: .noop),
            users: UsersView(callbacks: .noop), settings: SettingsView(callbacks: .noop))
    }

    private func bottom(_ root: inout RootView) -> String {
        root.draw(size: TerminalSize(rows: 8, columns: 60)).text(inRow: 7)
    }

    /// Every list that arrived while the terminal was blocked used to be kept until it had been drawn.
    @Test func `of the values to show, only the newest is kept, once`() {
        for number in 1...3 { happenings.add(.items(props(.sample(number)))) }
        happenings.add(.pets(PetsProps()))

        let news = happenings.take()
        let none = happenings.take()

        #expect(news.items == props(.sample(3)) && news.pets == PetsProps())
        #expect(news.users == nil && news.sayings.isEmpty)
        #expect(none.items == nil && none.pets == nil)
    }

    @Test func `every key and every remark is kept, in order`() {
        add(.character("a"), .character("b"))
        happenings.add(.remark("Done."))
        happenings.add(.items(props()))
        add(.enter)

        let news = happenings.take()

        #expect(news.sayings == [.keys([.character("a"), .character("b")]), .remark("Done."), .keys([.enter])])
        #expect(news.turn == nil)
        #expect(happenings.take().sayings.isEmpty)
    }

    @Test func `the reader is woken once for everything that has happened`() async {
        for _ in 1...3 { happenings.add(.terminal(.disturbed)) }
        var wakes = happenings.wakes.makeAsyncIterator()

        #expect(await wakes.next() != nil)
        // A second wake would have come before this one.
        happenings.add(.remark("Again."))
        #expect(await wakes.next() != nil)
        #expect(happenings.take().sayings == [.remark("Again.")])
    }

    @Test func `keys from before a change of profile are distinguished`() {
        enter(.unknown)
        enter(.nobody)
        let beginning = happenings.take()
        add(.character("e"))
        enter(.unknown)
        enter(.nobody)
        add(.enter)
        let change = happenings.take()
        enter(.nobody, "Ada")

        #expect(beginning.turn == nil)
        #expect(change.turn == 1 && change.sayings.count == 2)
        #expect(happenings.take().turn == nil)
    }

    @Test func `keys from before a change of profile apply to the old data, later ones to the new`() async {
        let (ids, id) = AsyncStream.makeStream(of: Item.ID.self)
        var root = root(
            ItemsCallbacks(turning: Relux.UI.ViewCallback { given in id.yield(given) }))
        enter(.nobody)
        happenings.add(.items(props(.sample(1))))
        _ = root.take(happenings.take())

        add(.character(" "), .character("d"))
        enter(.unknown)
        happenings.add(.items(props(.sample(2))))
        add(.character("y"), .character(" "))
        let outcome = root.take(happenings.take())

        #expect(outcome == .goesOn)
        #expect(bottom(&root).hasPrefix("Space done"), "the question is gone")
        var turned: [Item.ID] = []
        for await one in ids.prefix(2) { turned.append(one) }
        #expect(turned == [.sample(1), .sample(2)])
    }

    /// The text used to be dropped, and the rest of its keys were commands for the other profile's list.
    @Test func `a text that is being written survives a change of profile, and isn't added without a question`() async {
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        var root = root(ItemsCallbacks(telling: call))
        var prompts: [String] = []
        enter(.nobody)
        happenings.add(.items(props(.sample(1))))
        add(.character("a"), .character("m"))

        enter(.unknown)
        happenings.add(.items(props(.sample(2))))
        add(.character("d"), .character(" "), .character("y"))
        _ = root.take(happenings.take())
        prompts.append(bottom(&root))
        for key in [Key.enter, .character("n"), .character("a"), .character("z")] {
            add(key)
            _ = root.take(happenings.take())
            prompts.append(bottom(&root))
        }
        enter(.nobody)
        add(.enter, .character("y"))
        _ = root.take(happenings.take())

        #expect(prompts[0] == "New item (other list): md y")
        #expect(prompts[1] == "Add “md y” to this list instead? (y/n)")
        #expect(prompts[2].hasPrefix("Space done") && prompts[3] == "New item:" && prompts[4] == "New item: z")
        #expect(await calls.first { _ in true } == "add z")
    }

    @Test func `a title that is being changed is changed on no other list`() {
        var root = root()
        enter(.nobody)
        happenings.add(.items(props(.sample(1))))
        _ = root.take(happenings.take())
        add(.character("e"), .character("!"))

        enter(.unknown)
        add(.character("d"))
        _ = root.take(happenings.take())
        let kept = bottom(&root)
        add(.enter, .character("y"))
        _ = root.take(happenings.take())

        #expect(kept == "Title (other list): Item 1!d")
        #expect(bottom(&root).hasPrefix("Space done"))
    }

    @Test func `a question disappears if the profile changes and changes back unseen`() {
        var root = root()
        enter(.nobody)
        happenings.add(.items(props(.sample(1))))
        add(.character("d"))
        _ = root.take(happenings.take())
        let question = bottom(&root)

        enter(.unknown)
        enter(.nobody)
        add(.character("y"))
        _ = root.take(happenings.take())

        #expect(question == "Delete? y/n  Item 1")
        #expect(bottom(&root).hasPrefix("Space done"))
    }

    @Test func `a key that leaves is obeyed before a change of profile, and after it`() {
        for isEarly in [true, false] {
            var root = root()
            enter(.nobody)
            if isEarly { add(.character("q")) }
            enter(.unknown)
            if !isEarly { add(.character("q")) }

            #expect(root.take(happenings.take()) == .ends)
        }
    }

    @Test func `the last remark stays until a later key`() {
        var root = root()

        add(.down)
        happenings.add(.remark("Saved."))
        _ = root.take(happenings.take())
        let said = bottom(&root)
        happenings.add(.remark("Saved again."))
        add(.down)
        _ = root.take(happenings.take())

        #expect(said == "Saved.")
        #expect(bottom(&root).hasPrefix("Space done"))
    }
}

extension ItemsCallbacks {
    /// Callbacks of which only one has an effect.
    fileprivate init(turning turn: Relux.UI.ViewCallback<Item.ID>) {
        self.init(
            add: .noop, rename: .noop, turn: turn, delete: .noop, clear: .noop, toggle: .noop, extend: .noop,
            selectNone: .noop, moveUp: .noop, moveDown: .noop, undo: .noop, redo: .noop, narrow: .noop)
    }

    /// Callbacks of which some say that they were fired.
    fileprivate init(telling call: AsyncStream<String>.Continuation) {
        self.init(
            add: .init { given in call.yield("add \(given.title)") }, rename: .init { _ in call.yield("rename") },
            turn: .init { _ in call.yield("turn") }, delete: .init { _ in call.yield("delete") }, clear: .noop,
            toggle: .noop, extend: .noop, selectNone: .noop, moveUp: .noop, moveDown: .noop, undo: .noop, redo: .noop,
            narrow: .noop)
    }
}
