#if os(macOS) || os(Linux)
    import Testing

    /// The full-screen interface as a user sees it: the real program in a real terminal.
    @Suite(.runsPrograms, .timeLimit(.minutes(10))) struct FullScreenTests {
        private let folder: TemporaryFolder
        private let program: TestedProgram

        init() throws {
            folder = try TemporaryFolder()
            program = TestedProgram(folder: folder)
        }

        /// The program, after its first picture.
        private func start() async throws -> TerminalSession {
            let session = try TerminalSession(["tui", "--data", folder.path])
            try await session.see("There is nothing on the list")
            return session
        }

        private var titles: [String] {
            get async throws { try await program("items", "list", "--json").titles }
        }

        @Test func `items are added, completed, and undone`() async throws {
            let session = try await start()

            try session.type("aMilk\raTea\rk ")
            try await session.see("To do (1)\n> [ ] Tea\nDone (1)\n  [x] Milk")
            try session.type("u")
            let undone = try await session.see("To do (2)")
            try session.type("q")

            #expect(
                undone.lines.prefix(4) == [
                    " 1 Items  2 Pets  3 Users  4 Settings                           nobody signed in",
                    "To do (2)", "  [ ] Milk", "> [ ] Tea",
                ])
            #expect(undone.unknown.isEmpty && undone.updateCount > 2 && undone.looks.contains("0;1;38;5;166;7"))
            #expect(await session.end() == ChildProcess.Result(status: 0))
            #expect(try await titles == ["Milk", "Tea"])
        }

        @Test func `what was typed just before leaving is saved`() async throws {
            let session = try await start()

            try session.type("aMilk\raTea\r4jj jsq\r\u{1B}[A q")

            #expect(await session.end().status == 0)
            #expect(try await titles == ["Milk", "Tea"])
            #expect(await program("settings", "list").output.contains("collaroy"))
        }

        @Test func `what another process changes is seen immediately`() async throws {
            let session = try await start()

            await program("items", "add", "From elsewhere")
            try await session.see("> [ ] From elsewhere")
            try session.type("4")
            try await session.see("Theme         pilbara")
            await program("settings", "set", "theme", "collaroy")
            try await session.see("Theme         collaroy")
            await program("session", "login", "Ada")
            try await session.see("Signed in as  Ada")
            try session.type("1")

            #expect(try await session.see("There is nothing on the list").lines[0].hasSuffix(" Ada"))
        }

        @Test func `the picture follows the size of the window, down to nothing`() async throws {
            let session = try await start()
            try session.type("aMilk\r")

            try session.resize(rows: 10, columns: 40)
            try await session.see("hints in the tenth row") { screen in
                screen.lines.count == 10 && screen.lines[9].hasPrefix("Space done") && screen.text.contains("[ ] Milk")
            }
            for (rows, columns) in [(1, 1), (2, 3), (5, 20)] { try session.resize(rows: rows, columns: columns) }
            try await session.see("the item in five rows") { $0.lines.count == 5 && $0.text.contains("> [ ] Milk") }
            try session.resize(rows: 30, columns: 100)

            try await session.see("hints in the thirtieth row") { screen in
                screen.lines.count == 30 && screen.lines[29].hasPrefix("Space done")
            }
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

        @Test func `a change that can't be saved is told, kept, and saved by a retry`() async throws {
            let session = try await start()
            try folder.obstructSaves()

            try session.type("aMilk\r")
            try await session.see("(r tries again) It could not be saved: “unlink” has failed")
            try folder.removeObstacle()
            try session.type("r")
            let saved = try await session.see(no: "(r tries again)")
            try session.type("q")

            #expect(saved.text.contains("> [ ] Milk\n"))
            #expect(await session.end().status == 0)
            #expect(try await titles == ["Milk"])
        }

        @Test func `the report of a change that can't be saved ends when a later one is saved with it`() async throws {
            let session = try await start()
            try folder.obstructSaves()

            try session.type("aMilk\r")
            try await session.see("(r tries again)")
            try folder.removeObstacle()
            try session.type("aTea\r")
            try await session.see(no: "(r tries again)")
            try session.type("q")

            #expect(await session.end().status == 0)
            #expect(try await titles == ["Milk", "Tea"])
        }

        @Test func `leaving with unsaved changes asks, and reports that they are lost`() async throws {
            let session = try await start()
            try folder.obstructSaves()
            try session.type("aMilk\r")
            try await session.see("(r tries again)")

            try session.type("q")
            try await session.see("The last changes can't be saved. Leave, and lose them? y/n")
            try session.type("y")

            #expect(await session.end().status == 1)
            let screen = try await session.see("sample-cli: The last changes could not be saved.")
            #expect(screen.isLeftAsBefore)
        }

        @Test func `a list that can't be loaded says why, and leaves the file as it is`() async throws {
            try folder.write("garbage", to: "items.saved")
            let session = try TerminalSession(["tui", "--data", folder.path])

            let screen = try await session.see("Nothing was overwritten.")
            try session.type("aMilk\rq")

            #expect(screen.text.contains("Loading.") && !screen.text.contains("r tries again"))
            #expect(await session.end().status == 0)
            #expect(try folder.read("items.saved") == "garbage")
        }
    }
#endif
