#if os(macOS) || os(Linux)
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

            #expect(shown.isFullScreen)
            #expect(before != during && session.mode == before)
            #expect(after.unknown.isEmpty)
            return result
        }

        @Test(arguments: [("q", 0), ("\u{3}", 130), ("\u{1C}", 131)] as [(String, Int32)])
        func `it is restored after q, control-C and control-backslash`(key: String, status: Int32) async throws {
            #expect(try await end { try $0.type(key) } == ChildProcess.Result(status: status))
        }

        @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGINT])
        func `it is restored after a signal that ends the program, and the status says which`(signal: Int32)
            async throws
        {
            #expect(try await end { $0.send(signal) } == ChildProcess.Result(status: 128 + signal))
        }

        /// A session with an item that isn't saved yet, because a lock prevents that for as long as it is held.
        private func unsaved() async throws -> (session: TerminalSession, lock: FileHandle) {
            let session = try session()
            try await session.see("a add")
            // Only now, because loading takes the lock, too.
            let lock = try #require(FileHandle(forUpdatingAtPath: folder.path(of: ".lock")))
            try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
            try session.type("aMilk\r")
            try await session.see("[ ] Milk")
            return (session, lock)
        }

        private var titles: [String] {
            get async throws { try await TestedProgram(folder: folder)("items", "list", "--json").titles }
        }

        /// Signals used to end the program at once, while q waited for the last saves.
        @Test(arguments: [SIGTERM, SIGHUP])
        func `a signal has the last changes saved`(signal: Int32) async throws {
            let (session, lock) = try await unsaved()

            session.send(signal)
            flock(lock.fileDescriptor, LOCK_UN)

            #expect(await session.end() == ChildProcess.Result(status: 128 + signal))
            #expect(try await titles == ["Milk"])
        }

        @Test func `a closed window has the last changes saved`() async throws {
            let (session, lock) = try await unsaved()

            session.close()
            flock(lock.fileDescriptor, LOCK_UN)

            #expect(await session.end() == ChildProcess.Result(status: 129))
            #expect(try await titles == ["Milk"])
        }

        @Test func `a second control-C doesn't wait for the last changes, and says so`() async throws {
            let (session, lock) = try await unsaved()

            try session.type("\u{3}\u{3}")

            let screen = try await session.see("may not have been saved")
            #expect(screen.isLeftAsBefore)
            #expect(await session.end() == ChildProcess.Result(status: 130))
            withExtendedLifetime(lock) {}
        }

        @Test func `neither the key nor the signal that stops other programs stops it`() async throws {
            let session = try session()
            try await session.see("a add")

            session.send(SIGTSTP)
            try session.type("\u{1A}aMilk\r")

            let screen = try await session.see("[ ] Milk")
            #expect(screen.isFullScreen)
        }

        // MARK: Where it can't run

        @Test(arguments: [
            ("</dev/null", "needs a terminal on standard input and standard output."),
            ("--verbose", "The log would be written across the screen."), ("& wait %1", "can't run in the background"),
        ])
        func `where it can't run it says why, and leaves the terminal alone`(words: String, message: String)
            async throws
        {
            let session = try TerminalSession(["-i"], executable: "/bin/sh", columns: 200)
            try await session.see("$")

            try session.type("\(ChildProcess.executable) tui --data \(folder.path) \(words); echo status $?\r")

            let shell = try await session.see("status 64")
            #expect(shell.text.contains(message) && shell.isLeftAsBefore)
            #expect(try folder.names == [])
        }

        @Test(arguments: ["dumb", ""])
        func `a terminal that can't position its cursor is left alone`(kind: String) async throws {
            let session = try session(environment: ["TERM": kind])

            #expect(await session.end().status == 64)
            let screen = try await session.see("can't place its cursor")
            #expect(screen.isLeftAsBefore)
        }

        @Test func `a log can go to a file`() async throws {
            let script =
                "exec '\(ChildProcess.executable)' tui -v --data '\(folder.path)' 2>'\(folder.path(of: "log"))'"
            let session = try TerminalSession(["-c", script], executable: "/bin/sh")
            try await session.see("a add")

            try session.type("aMilk\rq")

            #expect(await session.end().status == 0)
            #expect(try folder.read("log").contains("Items.List.Action added"))
        }
    }
#endif
