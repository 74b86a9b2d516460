import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The list screen with a real store.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ItemsViewTests {
    private let shiftDown = "\u{1B}[1;2B"
    private let escape = "\u{1B}"

    @Test func `the cursor moves to an item that has been added`() async throws {
        let screen = try await TestedScreen()
        #expect(screen.body == ["There is nothing on the list: a adds an…"])

        screen.type("aMilk\raTea\r")
        #expect(screen.body == ["To do (2)", "  [ ] Milk", "> [ ] Tea"])
        screen.type("ATop")
        #expect(screen.bottom == "New item: Top")
        screen.type("\r")

        #expect(screen.body == ["To do (3)", "> [ ] Top", "  [ ] Milk", "  [ ] Tea"])
    }

    @Test func `a blank item isn't added, and the cursor doesn't move to somebody else's`() async throws {
        let screen = try await TestedScreen("Milk")

        screen.type("a \r")
        await screen.change(.added(Item("Tea"), .end))

        #expect(screen.body == ["To do (2)", "> [ ] Milk", "  [ ] Tea"])
    }

    @Test func `Space completes an item and leaves it, and reopens it`() async throws {
        let screen = try await TestedScreen("a", "b", "c")

        screen.type(" ")
        #expect(screen.body == ["To do (2)", "> [ ] b", "  [ ] c", "Done (1)", "  [x] a"])
        screen.type("G ")

        #expect(screen.body == ["To do (3)", "  [ ] b", "  [ ] c", "> [ ] a"])
    }

    @Test func `a completed item shows its day if there is space, and can't be renamed`() async throws {
        let screen = try await TestedScreen("a")

        screen.type(" e")

        let day = try #require(screen.lines(columns: 80).first { $0.hasPrefix("> [x] a  ") })
        #expect(day.count == 80 && screen.body == ["Done (1)", "> [x] a"])
        #expect(screen.bottom.hasPrefix("Space done"))
    }

    @Test func `a range is selected, completed in one step, and undone in one`() async throws {
        let screen = try await TestedScreen("a", "b", "c")

        screen.type(shiftDown)
        #expect(screen.body == ["To do (3)", " +[ ] a", ">+[ ] b", "  [ ] c"])
        #expect(screen.bottom.hasPrefix("2 selected"))
        screen.type(" ")
        #expect(try await screen.titles() == ["c", "(b)", "(a)"])
        screen.type("u")
        #expect(try await screen.titles() == ["a", "b", "c"])
        screen.type("U")
        #expect(try await screen.titles() == ["c", "(b)", "(a)"])
        screen.type(escape)

        #expect(screen.body.allSatisfy { !$0.contains("+") })
    }

    @Test func `x selects single items, and Shift extends what is selected`() async throws {
        let screen = try await TestedScreen("a", "b", "c", "d")

        screen.type("xj\(shiftDown)xG")

        #expect(screen.body == ["To do (4)", " +[ ] a", " +[ ] b", "  [ ] c", "> [ ] d"])
    }

    @Test func `items are deleted after a question, and only those that it was about`() async throws {
        let screen = try await TestedScreen("a", "b", "c")

        screen.type("d")
        #expect(screen.bottom == "Delete? y/n  a")
        screen.type("n")
        #expect(try await screen.titles() == ["a", "b", "c"])
        screen.type("\(shiftDown)d")
        #expect(screen.bottom == "Delete 2 items? y/n")
        await screen.change(.added(Item("new"), .top))
        screen.type("y")
        #expect(screen.body == ["To do (2)", "  [ ] new", "> [ ] c"])
        screen.type(" Cy")
        #expect(try await screen.titles() == ["new"])
        screen.type("Dy")

        #expect(try await screen.titles() == [])
    }

    @Test func `an item that is reopened during the question about completed ones isn't deleted`() async throws {
        let screen = try await TestedScreen("a", "b")
        screen.type(" ")
        let b = try await screen.item(1)
        let a = try await screen.item(2)
        await screen.change(.completed([b], .now))

        screen.type("C")
        await screen.change(.reopened([a]))
        screen.type("y")
        #expect(try await screen.titles() == ["a"])
        await screen.change(.completed([a], .now))
        screen.type("C")
        await screen.change(.reopened([a]))
        screen.type("y")
        #expect(try await screen.titles() == ["a"])
        screen.type("D")
        await screen.change(.completed([a], .now))
        screen.type("y")

        #expect(try await screen.titles() == [])
    }

    @Test func `the prompt shows what another program has made of the title meanwhile`() async throws {
        let screen = try await TestedScreen("Milk")
        let id = try await screen.item(1)

        screen.type("e")
        await screen.change(.renamed(id, "Bread"))
        #expect(screen.bottom == "Title: Bread")
        screen.type(" and butter")
        await screen.change(.renamed(id, "Rye bread"))
        #expect(screen.bottom == "Title: (now “Rye bread”) Bread and butter")
        screen.type("\r")

        #expect(screen.body == ["To do (1)", "> [ ] Bread and butter"])
    }

    @Test func `Escape ends writing and changes nothing`() async throws {
        let screen = try await TestedScreen("Milk")

        screen.type("exyz\(escape)")
        screen.type("axyz\(escape)")

        #expect(try await screen.titles() == ["Milk"])
        #expect(screen.bottom.hasPrefix("Space done"))
    }

    @Test func `the list is filtered letter by letter`() async throws {
        let screen = try await TestedScreen("Tea", "Café", "Cafeteria")

        screen.type("/c")
        #expect(screen.body == ["To do (2), filtered", "> [ ] Café", "  [ ] Cafeteria"])
        screen.type("afet")
        #expect(screen.body == ["To do (1), filtered", "> [ ] Cafeteria"] && screen.bottom == "Filter: cafet")
        screen.type("x")
        #expect(screen.body == ["Nothing on the list has this text."])
        screen.type("\u{7F}\r")
        #expect(screen.body.count == 2 && screen.bottom.contains("Esc all"))
        screen.type(escape)

        #expect(screen.body == ["To do (3)", "  [ ] Tea", "  [ ] Café", "> [ ] Cafeteria"])
    }

    @Test func `items are moved up and down, and not beyond the ends`() async throws {
        let screen = try await TestedScreen("a", "b", "c")

        screen.type("KJ")
        #expect(screen.body == ["To do (3)", "  [ ] b", "> [ ] a", "  [ ] c"])
        screen.type("JJ")
        #expect(try await screen.titles() == ["b", "c", "a"])
        screen.type("KKK")

        #expect(screen.body == ["To do (3)", "> [ ] a", "  [ ] b", "  [ ] c"])
    }

    @Test func `what is being written when the profile changes is told, and in nobody's list`() async throws {
        let screen = try await TestedScreen("a")
        screen.type("aSecret")

        try await screen.store.call(Session.SignIn(.named("Ada")))
        await screen.settle()

        #expect(screen.bottom == "Not saved, because it has no place any more: Secret")
        #expect(try await screen.titles(of: .named("Ada")) == [])
        screen.type("jaMine\r")
        #expect(screen.body == ["To do (1)", "> [ ] Mine"])
    }

    @Test func `what was only opened when the profile changes isn't told`() async throws {
        let screen = try await TestedScreen("a")
        screen.type("e")

        try await screen.store.call(Session.SignIn(.named("Ada")))
        await screen.settle()

        #expect(screen.bottom.hasPrefix("Space done"))
    }

    @Test func `a long list scrolls with the cursor`() async throws {
        let screen = try await TestedScreen()
        for number in 1...30 { await screen.change(.added(Item("\(number)"), .end)) }

        screen.type("G")
        #expect(screen.lines(rows: 6).first == "  [ ] 27" && screen.lines(rows: 6).contains("> [ ] 30"))
        screen.type("\u{1B}[5~")
        #expect(screen.lines(rows: 6).contains("> [ ] 27"))
        screen.type("g")

        #expect(screen.lines(rows: 6).prefix(2) == ["To do (30)", "> [ ] 1"])
    }
}
