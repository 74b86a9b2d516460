import Foundation
import Testing

/// The program's promises about statuses, streams, colours, and signals.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        ([], "A command is missing."),
        (["items"], "A command is missing."),
        (["itmes", "list"], "There is no command “itmes”."),
        (["items", "lst"], "There is no command “lst”."),
        (["items", "list", "--jason"], "There is no option “--jason”."),
        (["items", "list", "--top"], "The option --top makes no sense with this command."),
        (["items", "list", "--data"], "The option --data needs a value: --data FOLDER."),
        (["items", "add"], "TITLE is missing."),
        (["items", "list", "x"], "“x” is one word too many."),
        (["items", "move", "a", "b"], "POSITION has to be a whole number, not “b”."),
        (["pets", "lsit"], "There is no command “lsit”."),
        (["pets", "shw", "a"], "There is no command “shw”."),
        (["pets", "list", "--base-ulr", "x"], "There is no option “--base-ulr”."),
        (["pets", "list", "--base-url"], "The option --base-url needs a value: --base-url URL."),
        (
            ["pets", "list", "--base-url", "a\u{1B}b"],
            "--base-url has to be the address of a server, such as http://localhost:8080, not “a\\u{1B}b”."
        ),
        (["pets", "show"], "ID is missing."),
        (["pets", "show", "a", "b"], "“b” is one word too many."),
        (["pets", "list", "--data", "x"], "The option --data makes no sense with this command."),
        (["items", "list", "--base-url", "http://h"], "The option --base-url makes no sense with this command."),
        (["users", "watch"], "There is no command “watch”."),
        (["users", "arrive"], "NAME is missing."),
        (["users", "list", "x"], "“x” is one word too many."),
        (["users", "list", "--base-url", "http://h"], "The option --base-url makes no sense with this command."),
        (["completions", "bash", "--json"], "The option --json makes no sense with this command."),
        (["tui", "x"], "“x” is one word too many."),
        (["tui", "--json"], "The option --json makes no sense with this command."),
        (
            ["tui", "--base-url", "h"],
            "--base-url has to be the address of a server, such as http://localhost:8080, not “h”."
        ),
        (["settings", "set", "theme"], "VALUE is missing."),
        (
            ["settings", "set", "them", "x"],
            "NAME has to be display-name or list-name or theme, not “them”."
        ),
        (["settings", "set", "theme", "red"], "VALUE has to be pilbara or collaroy, not “red”."),
        (["session", "login"], "NAME is missing."),
        (["session", "login", "a", "b"], "“b” is one word too many."),
        (
            ["session", "login", "a/b"],
            "The name “a/b” has a slash. Choose a short name without slashes, such as “Ada”."
        ),
        (
            ["session", "login", ".."],
            "The name “..” has nothing but dots. Choose a short name without slashes, such as “Ada”."
        ),
        (["session", "login", ""], "The name is empty. Choose a short name without slashes, such as “Ada”."),
        (
            ["session", "login", "a\u{1B}b"],
            "The name has a character that can't be seen: U+001B. "
                + "Choose a short name without slashes, such as “Ada”."
        ),
        (["session", "status", "--base-url", "x"], "The option --base-url makes no sense with this command."),
    ])
    func `wrong usage is reported on standard error, with status 64`(arguments: [String], text: String) async throws {
        let result = try await ChildProcess.run(arguments)

        #expect(result.status == 64 && result.output == "")
        #expect(result.error.hasPrefix("sample-cli: \(text)\nUsage: sample-cli "))
        #expect(result.error.hasSuffix(" --help\n"))
    }

    @Test(arguments: [
        ["--help"], ["items", "-h"], ["items", "add", "--help"], ["pets", "show", "-h"], ["help", "completions"],
        ["settings", "set", "--help"], ["session", "login", "-h"],
    ])
    func `help is data`(arguments: [String]) async throws {
        let result = try await ChildProcess.run(arguments)

        #expect(result.status == 0 && result.error == "")
        #expect(result.output.hasPrefix("Usage: sample-cli"))
    }

    @Test(
        arguments: [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)] as [([String: String], Bool)])
    func `a terminal gets colours unless the user wants none`(
        environment: [String: String],
        isColourful: Bool
    ) async throws {
        let terminal = try PseudoTerminal()

        let result = try await ChildProcess.run(
            ["items", "add", "Title", "--data", folder.path],
            environment: ["TERM": "xterm"].merging(environment) { $1 },
            output: terminal.handle
        )

        let text = terminal.read()
        #expect(result.status == 0)
        #expect(text.hasSuffix("Title\r\n"))
        #expect(text.contains("\u{1B}[") == isColourful)
    }

    @Test func `a pipe gets no colours`() async throws {
        let result = try await ChildProcess.run(
            ["items", "add", "Title", "--data", folder.path], environment: ["TERM": "xterm"]
        )

        #expect(!result.output.contains("\u{1B}"))
        #expect(result.output.hasSuffix("Title\n"))
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

        #expect(result.status == 1)
        #expect(result.error.hasPrefix("sample-cli: Can't write the output: "))
    }

    /// They used to be repaired, so that a title was saved that nobody had given.
    @Test func `an argument that isn't valid UTF-8 is refused`() async throws {
        let script = #""$0" items add --data "$1" "$(printf 'a\377b')""#

        let result = try await ChildProcess.run(
            ["-c", script, ChildProcess.executable.path(percentEncoded: false), folder.path],
            executable: URL(filePath: "/bin/sh"))

        #expect(result.status == 64 && result.output == "")
        #expect(result.error == "sample-cli: The argument number 5 is not valid UTF-8 text.\n")
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [["--version"], ["items", "list", "--version"]])
    func `the version is one line, and nothing else is done`(arguments: [String]) async throws {
        let result = try await ChildProcess.run(arguments, environment: ["HOME": folder.path])

        #expect(result == ChildProcess.Result(status: 0, output: "sample-cli 0.1.0-dev\n"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `a variable names the data folder, and an option takes precedence`() async throws {
        let environment = ["SAMPLE_DATA": folder.path(of: "named"), "XDG_DATA_HOME": folder.path(of: "data")]

        _ = try await ChildProcess.run(["items", "add", "One"], environment: environment)
        _ = try await ChildProcess.run(["users", "arrive", "Ann"], environment: environment)
        _ = try await ChildProcess.run(
            ["items", "add", "Two", "--data", folder.path(of: "given")], environment: environment)
        _ = try await ChildProcess.run(
            ["items", "add", "Three"], environment: environment.merging(["SAMPLE_DATA": ""]) { $1 })

        #expect(try folder.names == ["data", "given", "named"])
        #expect(try folder.read("named/items.jsonl").contains("One"))
        #expect(try folder.names(in: "named").contains("users.json"))
        #expect(try folder.read("given/items.jsonl").contains("Two"))
    }

    @Test(
        arguments: [
            (["items", "done", "abcdef", "--json"], 1, "unknown-item"),
            (["items", "done", "ab", "--json"], 1, "short-id"),
            (["items", "lst", "--json"], 64, "usage"), (["users", "leave", "Ann", "--json"], 1, "unknown-user"),
            (["pets", "show", "rex", "--json"], 1, "unknown-pet"),
            (["items", "import", "/", "--json"], 1, "not-a-file"),
            (["settings", "set", "list-name", "a\nb", "--json"], 1, "invalid-value"),
        ] as [([String], Int32, String)])
    func `with JSON, an error is one object with a code`(arguments: [String], status: Int32, code: String) async throws
    {
        let result = try await ChildProcess.run(arguments, environment: ["SAMPLE_DATA": folder.path])

        let object = try JSONDecoder().decode([String: String].self, from: Data(result.error.utf8))
        #expect(result.status == status && result.output == "")
        #expect(object["code"] == code && object["message"]?.isEmpty == false && object.count == 2)
        #expect(result.error.split(separator: "\n").count == 1)
    }

    /// The change used to be saved, and then to be reported as a failure.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func `closed standard streams count as empty`(closing: String) async throws {
        let folder = try TemporaryFolder()
        let script = #""$0" items add Milk --data "$1" \#(closing) && "$0" items list --data "$1""#

        let result = try await ChildProcess.run(
            ["-c", script, ChildProcess.executable.path(percentEncoded: false), folder.path],
            executable: URL(filePath: "/bin/sh"))

        #expect(result.status == 0 && result.error == "")
        #expect(result.output.contains("To do (1)\n") && result.output.hasSuffix("  Milk\n"))
        #expect(try folder.read().contains("Milk"))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `an interrupted program ends immediately, without output`(signal: Int32, status: Int32) async throws {
        let holder = open(folder.path(of: "items.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)

        let result = try await ChildProcess.run(
            ["items", "add", "Title", "--verbose", "--data", folder.path],
            interruption: ChildProcess.Interruption(signal: signal, marker: "saveStarted")
        )

        #expect(result.status == status && !result.wasEndedBySignal)
        #expect(result.output == "")
        #expect(!result.error.contains("sample-cli:"))
        #expect(try folder.names == ["items.lock"])
    }
}
