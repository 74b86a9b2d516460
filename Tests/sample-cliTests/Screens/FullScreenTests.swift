import Foundation
import Testing

/// The full-screen interface as a user sees it: the real program in a real terminal.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct FullScreenTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The program, after its first picture.
    private func start(
        _ arguments: String..., environment: [String: String] = [:], rows: Int = 20, columns: Int = 80
    ) async throws -> TerminalSession {
        let session = try TerminalSession(
            ["tui", "--data", folder.path] + arguments, environment: environment, rows: rows, columns: columns)
        try await session.see("There is nothing on the list")
        return session
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--data", folder.path])
    }

    private func add(_ titles: String..., to session: TerminalSession) async throws {
        for title in titles {
            try session.type("a\(title)\r")
            try await session.see("[ ] \(title)")
        }
    }

    @Test func `items are added, completed, undone, and redone`() async throws {
        let session = try await start()

        try await add("Milk", "Tea", to: session)
        try session.type("k ")
        try await session.see("Done (1)\n  [x] Milk")
        try session.type("u")
        let undone = try await session.see("all of it saved") { screen in
            !screen.text.contains("Done (1)") && !screen.text.contains(" *")
        }
        try session.type("U")
        try await session.see("[x] Milk")
        try session.type("q")

        #expect(
            undone.lines.prefix(4).map { $0 } == [
                " 1 Items  2 Pets  3 Users  4 Settings                           nobody signed in",
                "To do (2)", "  [ ] Milk", "> [ ] Tea",
            ])
        #expect(undone.unknown.isEmpty)
        #expect(undone.updateCount > 4, "each picture is to be seen as a whole")
        #expect(await session.end() == ChildProcess.Result(status: 0))
        #expect(try await run("items", "list", "--json").json.items.map(\.title) == ["Tea", "Milk"])
    }

    @Test func `what was typed just before leaving is saved`() async throws {
        let session = try await start()

        try session.type("aMilk\rATea\r4jj q")

        #expect(await session.end().status == 0)
        #expect(try await run("items", "list", "--json").json.items.map(\.title) == ["Tea", "Milk"])
        #expect(try await run("settings", "list").output.contains("collaroy"))
    }

    @Test func `a sign-in just before leaving is carried out`() async throws {
        let session = try await start()

        try session.type("4sAda\rq")

        #expect(await session.end().status == 0)
        #expect(try await run("session", "status").output.hasPrefix("Ada is signed in."))
    }

    @Test func `items are renamed, moved, and deleted after a question`() async throws {
        let session = try await start()
        try await add("Milk", "Tea", "Rye", to: session)

        try session.type("e bread\r")
        try await session.see("> [ ] Rye bread")
        try session.type("KK")
        try await session.see("To do (3)\n> [ ] Rye bread\n  [ ] Milk\n  [ ] Tea")
        try session.type("J")
        try await session.see("  [ ] Milk\n> [ ] Rye bread")
        try session.type("d")
        try await session.see("Delete? y/n  Rye bread")
        try session.type("n")
        try await session.see(no: "Delete?")
        try session.type("dy")

        let screen = try await session.see("To do (2)")
        #expect(screen.text.contains("  [ ] Milk\n> [ ] Tea"))
    }

    @Test func `the list narrows while the user types`() async throws {
        let session = try await start()
        try await add("Milk", "Tea", "Café", to: session)

        try session.type("/caf")
        let narrowed = try await session.see("To do (1), filtered\n> [ ] Café")
        try session.type("x")
        try await session.see("Nothing on the list has these words.")
        try session.type("\u{1B}")
        let all = try await session.see("To do (3)\n")

        #expect(narrowed.lines.last == "Filter: caf")
        #expect(!narrowed.text.contains("Milk"))
        #expect(!all.text.contains("Filter:"))
    }

    @Test func `what another process changes is seen immediately`() async throws {
        let session = try await start()

        try await run("items", "add", "From elsewhere")
        try await session.see("> [ ] From elsewhere")
        try session.type("3")
        try await session.see("Nobody has been here yet.")
        try await run("users", "arrive", "Ann")
        try await session.see("Online (1)\n> Ann")
        try await run("users", "leave", "Ann")
        try await session.see("Offline (1)\n> Ann")
        try session.type("4")
        try await session.see("Theme         pilbara")
        try await run("settings", "set", "theme", "collaroy")
        try await session.see("Theme         collaroy")
    }

    @Test func `a damaged session is reported for as long as it is damaged`() async throws {
        let session = try await start()

        try folder.write("garbage", to: "session.json")
        let told = try await session.see("Who signs in or out elsewhere can't be seen.")
        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        try await session.see(no: "can't be seen")

        #expect(told.text.contains("session.json: ") && !told.text.contains("r tries again"))
    }

    @Test func `the picture follows the size of the window, down to nothing`() async throws {
        let session = try await start()
        try await add("Milk", to: session)

        try session.resize(rows: 10, columns: 40)
        let small = try await session.see("a bottom line in the tenth row") { screen in
            screen.lines.count == 10 && screen.lines[9].hasPrefix("Space done") && screen.text.contains("[ ] Milk")
        }
        for (rows, columns) in [(1, 1), (2, 3), (5, 20)] { try session.resize(rows: rows, columns: columns) }
        try await session.see("the item in five rows") { $0.lines.count == 5 && $0.text.contains("> [ ] Milk") }
        try session.resize(rows: 30, columns: 100)
        try await session.see("a bottom line in the thirtieth row") { screen in
            screen.lines.count == 30 && screen.lines[29].hasPrefix("Space done")
        }

        #expect(small.lines[0].count <= 40)
    }

    @Test func `a pet is opened and closed`() async throws {
        let session = try await start()

        try session.type("2")
        try await session.see("> ■ Biscuit")
        try session.type("\u{1B}OB\r")
        let page = try await session.see("Phone")
        try session.type("\u{1B}")
        try await session.see("> ■ Juniper")

        #expect(page.lines[1] == "Juniper" && page.text.contains("Species     cat"))
    }

    @Test func `a change that can't be saved is marked, kept, and saved by a retry`() async throws {
        let session = try await start()
        let obstacle = folder.path(of: "items.jsonl")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)

        try await add("Milk", to: session)
        let failed = try await session.see("(r tries again) The change could not be saved.")
        try session.type("q")
        try await session.see("Changes aren't saved. Leave, and lose them? y/n")
        try session.type("n")
        try FileManager.default.removeItem(atPath: obstacle)
        try session.type("r")
        let saved = try await session.see("all of it saved") { screen in
            !screen.text.contains("could not be saved") && !screen.text.contains(" *")
        }
        try session.type("q")

        #expect(failed.text.contains("> [ ] Milk *"))
        #expect(failed.lines.joined(separator: " ").contains("but this is something else."))
        #expect(saved.text.contains("> [ ] Milk\n"))
        #expect(await session.end().status == 0)
        #expect(try folder.read().contains("Milk"))
    }

    @Test func `leaving with unsaved changes reports that they are lost`() async throws {
        let session = try await start()
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "items.jsonl"), withIntermediateDirectories: false)
        try await add("Milk", to: session)
        try await session.see("could not be saved")

        try session.type("qy")

        #expect(await session.end().status == 1)
        let screen = try await session.see("sample-cli: Changes could not be saved, and are lost: “Milk”")
        #expect(screen.isLeftAsBefore)
    }

    @Test func `profiles can be changed, and each has its own list and theme`() async throws {
        let session = try await start()
        try await add("Common", to: session)

        try session.type("4s")
        try await session.see("Sign in as:")
        try session.type("a/b\r")
        try await session.see("The name “a/b” has a slash.")
        try session.type("sAda\r")
        try await session.see("Ada is signed in.")
        try await session.see("Signed in as  Ada  (Enter signs out)")
        try session.type("1")
        try await session.see("There is nothing on the list")
        try await add("Secret", to: session)
        try session.type("4G\r")
        try await session.see("Sign out? y/n  Ada")
        try session.type("y")
        try await session.see("Nobody is signed in.")
        try session.type("1")
        let common = try await session.see("> [ ] Common")

        #expect(!common.text.contains("Secret"))
    }

    @Test func `while the profile can't be read, that is shown and retried`() async throws {
        try folder.write(#"{"format":"relux-session","version":1,"profile":"../x"}"#, to: "session.json")
        let session = try TerminalSession(["tui", "--data", folder.path], rows: 30)

        let failed = try await session.see("(r tries again)")
        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        try session.type("r")
        let mended = try await session.see("There is nothing on the list")

        #expect(failed.text.contains("The file is damaged") && !failed.text.contains("nobody signed in"))
        #expect(mended.text.contains("nobody signed in") && !mended.text.contains("damaged"))
    }

    @Test func `settings are changed in place`() async throws {
        let session = try await start()

        try session.type("4")
        try await session.see("> Display name  (none)")
        try session.type("\r\u{1B}[200~Ada\nL.\u{1B}[201~\r")
        try await session.see("> Display name  Ada L.")
        try session.type("jj ")
        try await session.see("> Theme         collaroy")
        try session.type("q")
        #expect(await session.end().status == 0)

        let json = try await run("settings", "list", "--json").output
        #expect(json.contains(#""displayName":"Ada L.""#) && json.contains(#""theme":"collaroy""#))
    }

    @Test func `titles can't control the terminal, and occupy the space that they need`() async throws {
        try await run("items", "add", "a\u{1B}[2Jb\u{9B}c 牛乳 👩‍👩‍👧 e\u{301}")
        let session = try TerminalSession(["tui", "--data", folder.path])

        let screen = try await session.see("[ ] a\\u{1B}[2Jb\\u{9B}c 牛乳 👩‍👩‍👧 e\u{301}")

        #expect(screen.unknown.isEmpty)
    }

    @Test func `NO_COLOR disables colours, and the theme has some`() async throws {
        let plain = try await start(environment: ["NO_COLOR": "1"])
        let colourful = try await start()

        #expect(plain.screen.looks.isSubset(of: ["0", "0;1", "0;2", "0;7", "0;1;7", "0;2;7"]))
        #expect(colourful.screen.looks.contains("0;1;38;5;166;7"))
    }
}
