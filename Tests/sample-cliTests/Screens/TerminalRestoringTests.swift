import Foundation
import Testing

/// The terminal is restored, whatever ends the program.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct TerminalRestoringTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func session(_ arguments: String..., environment: [String: String] = [:]) throws -> TerminalSession {
        try TerminalSession(["tui", "--data", folder.path] + arguments, environment: environment)
    }

    /// Starts the program, does something to it, and returns how it ended.
    private func end(by act: (TerminalSession) throws -> Void) async throws -> ChildProcess.Result {
        let session = try session()
        let before = session.firstMode
        let shown = try await session.see("q quit")
        let during = session.mode

        try act(session)
        let result = await session.end()
        let after = try await session.see("the terminal as it was") { $0.isLeftAsBefore }

        #expect(shown.isAlternate && !shown.isCursorShown && shown.marksPastes && !shown.isWrapping)
        #expect(before != during && session.mode == before)
        #expect(after.unknown.isEmpty)
        return result
    }

    @Test func `it is restored after q`() async throws {
        #expect(try await end { try $0.type("q") } == ChildProcess.Result(status: 0))
    }

    @Test func `it is restored after control-C, and the status says so`() async throws {
        #expect(try await end { try $0.type("\u{3}") } == ChildProcess.Result(status: 130))
    }

    @Test func `it is restored after control-backslash, and the status says so`() async throws {
        #expect(try await end { try $0.type("\u{1C}") } == ChildProcess.Result(status: 131))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGINT])
    func `it is restored after a signal that ends the program, and the status says which`(signal: Int32) async throws {
        #expect(try await end { $0.send(signal) } == ChildProcess.Result(status: 128 + signal))
    }

    /// Keeps the lock of the list for as long as the result exists, so that nothing can be saved.
    private func lockList() throws -> FileHandle {
        let path = folder.path(of: "items.lock")
        try folder.write("", to: "items.lock")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try #require(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        return file
    }

    /// Signals used to end the program at once, while q waited for the last saves.
    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGINT])
    func `a signal has the last changes saved`(signal: Int32) async throws {
        let lock = try lockList()
        let session = try session()
        try await session.see("q quit")
        try session.type("aMilk\r")
        try await session.see("[ ] Milk")

        session.send(signal)
        flock(lock.fileDescriptor, LOCK_UN)

        #expect(await session.end() == ChildProcess.Result(status: 128 + signal))
        #expect(try folder.read().contains("Milk"))
    }

    @Test func `a closed window has the last changes saved`() async throws {
        let lock = try lockList()
        let session = try session()
        try await session.see("q quit")
        try session.type("aMilk\r")
        try await session.see("[ ] Milk")

        session.close()
        flock(lock.fileDescriptor, LOCK_UN)

        #expect(await session.end() == ChildProcess.Result(status: 129))
        #expect(try folder.read().contains("Milk"))
    }

    @Test(arguments: ["\u{3}", "\u{3}\u{3}"])
    func `what control-C can't have saved is reported on the restored terminal`(keys: String) async throws {
        let lock = try lockList()
        let session = try session()
        try await session.see("q quit")
        try session.type("aMilk\r")
        try await session.see("[ ] Milk")

        try session.type(keys)

        let words = keys.count == 1 ? "could not be saved, and are lost" : "may not have been saved"
        let screen = try await session.see(words)
        #expect(!screen.isAlternate)
        #expect(await session.end() == ChildProcess.Result(status: 130))
        withExtendedLifetime(lock) {}
    }

    @Test func `the program ends when the window is closed`() async throws {
        let session = try session()
        try await session.see("q quit")

        session.close()

        #expect(await session.end() == ChildProcess.Result(status: 129))
    }

    @Test func `neither the key nor the signal that stops other programs stops it`() async throws {
        let session = try session()
        try await session.see("q quit")

        session.send(SIGTSTP)
        try session.type("\u{1A}aMilk\r")

        let screen = try await session.see("[ ] Milk")
        #expect(screen.isAlternate && !screen.isCursorShown)
    }

    @Test func `a program that is killed loses nothing saved, and leaves no lock`() async throws {
        for number in 1...3 {
            let session = try session()
            try await session.see("q quit")
            try session.type("aItem \(number)\r")
            try await session.see("the item, saved") { screen in
                screen.text.contains("[ ] Item \(number)") && !screen.text.contains(" *")
            }
            session.send(SIGKILL)
            #expect(await session.end().wasEndedBySignal)
        }

        let result = try await ChildProcess.run(["items", "list", "--json", "--data", folder.path])

        #expect(try result.json.items.map(\.title) == ["Item 1", "Item 2", "Item 3"])
    }

    // MARK: Where it can't run

    @Test func `without a terminal it says so, and what to do instead`() async throws {
        let result = try await ChildProcess.run(["tui", "--data", folder.path])

        #expect(
            result
                == ChildProcess.Result(
                    status: 64,
                    error: """
                        sample-cli: The full-screen interface needs a terminal on standard input and standard output.
                        For scripts there are the other commands, as in: sample-cli items list --json

                        """))
        #expect(try folder.names == [])
    }

    @Test(arguments: ["dumb", ""])
    func `a terminal that can't position its cursor is left alone`(kind: String) async throws {
        let session = try session(environment: ["TERM": kind])

        #expect(await session.end().status == 64)
        let screen = try await session.see("can't place its cursor")
        #expect(screen.isLeftAsBefore)
    }

    @Test func `in the background it leaves the terminal to the shell`() async throws {
        let session = try TerminalSession(["-i"], executable: "/bin/sh")
        try await session.see("$")
        let program = ChildProcess.executable.path(percentEncoded: false)

        try session.type("\(program) tui --data \(folder.path) & wait %1; echo status $?\r")
        let shell = try await session.see("status 64")

        #expect(shell.text.contains("can't run in the background") && shell.isLeftAsBefore)
    }

    @Test func `a log isn't written across the screen`() async throws {
        let session = try session("--verbose")

        #expect(await session.end().status == 64)
        try await session.see("sample-cli: The log would be written across the screen.")
    }

    @Test func `a log can go to a file`() async throws {
        let program = ChildProcess.executable.path(percentEncoded: false)
        let session = try TerminalSession(
            ["-c", "exec '\(program)' tui --verbose --data '\(folder.path)' 2>'\(folder.path(of: "log"))'"],
            executable: "/bin/sh")
        try await session.see("There is nothing on the list")

        try session.type("aMilk\r")
        let screen = try await session.see("[ ] Milk")
        try session.type("q")

        #expect(await session.end().status == 0)
        #expect(!screen.text.contains("Items."))
        #expect(try folder.read("log").contains("Items.Command add"))
    }
}
