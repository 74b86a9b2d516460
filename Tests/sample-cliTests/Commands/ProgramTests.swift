#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import Testing

    @testable import sample_cli

    /// The program's promises about statuses, streams, colours, and signals.
    @Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ProgramTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test(arguments: [
            ([], "A command is missing."), (["items"], "A command is missing."),
            (["itmes", "list"], "There is no command “itmes”."), (["items", "lst"], "There is no command “lst”."),
            (["items", "list", "--jason"], "There is no option “--jason”."),
            (["items", "list", "--top"], "The option --top makes no sense with this command."),
            (["items", "list", "--data"], "The option --data needs a value: --data FOLDER."),
            (["items", "list", "--data="], "The option --data needs a value: --data FOLDER."),
            (["items", "add", "A", "--top=yes"], "The option --top takes no value."),
            (["-x"], "There is no option “-x”."),
            (["items", "add"], "TITLE is missing."), (["items", "list", "x"], "“x” is one word too many."),
            (["items", "done", "1", "x"], "NUMBER has to be a whole number above 0, not “x”."),
            (["items", "move", "1", "x"], "POSITION has to be a whole number above 0, not “x”."),
            (["items", "clear"], "Without a terminal there is no way to ask: pass --yes to confirm."),
            (
                ["pets", "list", "--base-url", "a\u{1B}b"],
                "--base-url has to be the address of a server, such as http://localhost:8080, not “a\\u{1B}b”."
            ),
            (["pets", "list", "--data", "x"], "The option --data makes no sense with this command."),
            (["tui", "--json"], "The option --json makes no sense with this command."),
            (["settings", "set", "them", "x"], "NAME has to be display-name or list-name or theme, not “them”."),
            (["settings", "set", "theme", "red"], "VALUE has to be pilbara or collaroy, not “red”."),
            (["session", "login", ""], "The name is empty. Choose a short one, such as “Ada”."),
        ])
        func `wrong usage is reported on standard error, with status 64`(arguments: [String], text: String) async throws
        {
            let result = await TestedProgram(folder: folder).run(arguments)

            #expect(result.status == 64 && result.output == "")
            #expect(result.error.hasPrefix("sample-cli: \(text)\nUsage: sample-cli "))
            #expect(result.error.hasSuffix(" --help\n"))
            #expect(try folder.names == [])
        }

        @Test func `help and the version are data, and nothing else is done`() async throws {
            let program = TestedProgram(folder: folder)

            let help = await program("items", "add", "-h")
            let version = await program("items", "list", "--version")

            #expect(help.status == 0 && help.error == "" && help.output.hasPrefix("Usage: sample-cli items add TITLE…"))
            #expect(version == ChildProcess.Result(status: 0, output: "sample-cli 0.1.0-dev\n"))
            #expect(try folder.names == [])
        }

        @Test func `with JSON, an error is one object in one line, with a code`() async throws {
            let program = TestedProgram(folder: folder)

            let usage = await program("items", "lst", "--json")
            let refusal = await program("items", "done", "1", "--json")
            let missing = await program("pets", "show", "rex", "--json")

            #expect(try [usage, refusal, missing].map { try $0.code } == ["usage", "refused", "unavailable"])
            #expect([usage, refusal, missing].map(\.status) == [64, 1, 1])
            #expect(
                [usage, refusal, missing].allSatisfy { $0.output == "" && $0.error.split(separator: "\n").count == 1 })
        }

        @Test func `a variable names the data folder, and an option takes precedence`() async throws {
            let environment = ["SAMPLE_DATA": folder.path(of: "named"), "XDG_DATA_HOME": folder.path(of: "data")]

            #expect(DataFolder.standard(environment: environment) == folder.path(of: "named"))
            #if !canImport(Darwin)
                let data = environment.merging(["SAMPLE_DATA": ""]) { $1 }
                #expect(DataFolder.standard(environment: data) == folder.path(of: "data/relux-sample"))
            #endif
            let program = TestedProgram(folder: folder)
            await program("items", "add", "Milk", "--data", folder.path(of: "given"))
            #expect(try await program("items", "list", "--json", "--data", folder.path(of: "given")).titles == ["Milk"])
            #expect(try folder.names == ["given"])
        }

        // MARK: The process

        @Test(
            arguments: [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)]
                as [([String: String], Bool)])
        func `a terminal gets colours unless the user wants none`(
            environment: [String: String], isColourful: Bool
        ) async throws {
            await TestedProgram(folder: folder)("items", "add", "Title")

            let session = try TerminalSession(["items", "list", "--data", folder.path], environment: environment)

            let screen = try await session.see("  1  Title")
            #expect(screen.looks.contains("33") == isColourful && screen.unknown.isEmpty)
        }

        @Test func `a reader that closes the pipe is no failure`() async throws {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()

            let result = try await ChildProcess.run(["--help"], output: pipe.fileHandleForWriting)

            #expect(result == ChildProcess.Result(status: 0))
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
        func `output that can't be written is a failure`() async throws {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))

            let result = try await ChildProcess.run(["--help"], output: full)

            #expect(result.status == 1 && result.error.hasPrefix("sample-cli: Can't write the output: "))
        }

        /// They used to be repaired, so that a title was saved that nobody had given.
        @Test func `an argument that isn't valid UTF-8 is refused`() async throws {
            let script = #""$0" items add --data "$1" "$(printf 'a\377b')""#

            let result = try await ChildProcess.run(
                ["-c", script, ChildProcess.executable, folder.path], executable: "/bin/sh")

            #expect(result.status == 64 && result.output == "")
            #expect(result.error == "sample-cli: The argument number 5 is not valid UTF-8 text.\n")
            #expect(try folder.names == [])
        }

        /// The change used to be saved, and then to be reported as a failure.
        @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
        func `closed standard streams count as empty`(closing: String) async throws {
            let folder = try TemporaryFolder()
            let script = #""$0" items add Milk --data "$1" \#(closing) && "$0" items list --data "$1""#

            let result = try await ChildProcess.run(
                ["-c", script, ChildProcess.executable, folder.path], executable: "/bin/sh")

            #expect(result.status == 0 && result.error == "")
            #expect(result.output.hasSuffix("To do (1)\n  1  Milk\n"))
        }

        @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
        func `a signal ends the program immediately, without output, and with its trace`(
            signal: Int32, status: Int32
        ) async throws {
            let latch = try Latch()
            let server = try LoopbackServer(.held(latch, then: .response(body: "[]")))

            let folder = try TemporaryFolder()
            let trace = folder.path(of: "trace")
            let result = try await ChildProcess.run(
                ["pets", "list", "--verbose", "--base-url", server.address, "--trace", trace],
                interruption: .init(signal: signal) { $0.contains("Pets.Loader") })

            #expect(result.status == status && !result.wasEndedBySignal)
            #expect(result.output == "" && !result.error.contains("sample-cli:"))
            #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("Pets.Effect"))
            withExtendedLifetime(server) {}
        }

        @Test func `a further signal ends a program whose trace nobody reads`() async throws {
            let latch = try Latch()
            let server = try LoopbackServer(.held(latch, then: .response(body: "[]")))
            let folder = try TemporaryFolder()
            let script = """
                mkfifo "$1"
                "$0" pets list --base-url "$2" --trace "$1" &
                sleep 1
                while kill -TERM $! 2>/dev/null; do sleep 0.1; done
                wait $!
                echo $?
                """

            let result = try await ChildProcess.run(
                ["-c", script, ChildProcess.executable, folder.path(of: "pipe"), server.address], executable: "/bin/sh")

            #expect(result.output == "143\n")
            withExtendedLifetime(server) {}
        }

        @Test func `a trace goes through pipes, and is read from one`() async throws {
            let folder = try TemporaryFolder()
            let script = """
                "$0" settings set theme collaroy --data "$1" --trace /dev/fd/3 3>&1 >/dev/null \
                    | "$0" trace show /dev/stdin
                """

            let result = try await ChildProcess.run(
                ["-c", script, ChildProcess.executable, folder.path], executable: "/bin/sh")

            #expect(result.status == 0 && result.error == "" && result.output.contains("Settings.State.Action.chosen"))
        }
    }
#endif
