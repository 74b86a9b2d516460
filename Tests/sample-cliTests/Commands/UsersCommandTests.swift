import Foundation
import SampleServices
import Testing

/// The real program with real files.
@Suite(.runsPrograms, .timeLimit(.minutes(5))) struct UsersCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["users"] + arguments + ["--data", folder.path], environment: ["TZ": "UTC"])
    }

    private func watch(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(["users", "watch"] + arguments + ["--data", folder.path], environment: ["TZ": "UTC"])
    }

    private var service: FileUsersService { FileUsersService(folder: folder.path) }

    /// Moves a file into place in one step.
    private func put(_ text: String, as name: String) throws {
        try FileManager.default.createDirectory(atPath: service.folder, withIntermediateDirectories: true)
        try folder.write(text, to: "elsewhere")
        rename(folder.path(of: "elsewhere"), "\(service.folder)/\(name)")
    }

    @Test func `if nobody has ever arrived, nobody is listed, and nothing is created`() async throws {
        let people = try await run("list")
        let scripts = try await run("list", "--json")

        #expect(people == ChildProcess.Result(status: 0, output: "", error: "Nobody has been here yet.\n"))
        #expect(
            scripts == ChildProcess.Result(status: 0, output: #"{"outcome":"listed","problems":[],"users":[]}"# + "\n")
        )
        #expect(try folder.names == [])
    }

    @Test func `users arrive and leave, and are listed in two sections by name`() async throws {
        let results = [
            try await run("arrive", "zoe"), try await run("arrive", "Ann", "Lee"), try await run("arrive", "Bob"),
            try await run("arrive", "ann lee"), try await run("leave", "ZOE"), try await run("leave", "zoe"),
        ]
        let list = try await run("list")

        #expect(results.allSatisfy { $0.status == 0 && $0.error == "" })
        #expect(
            results.map(\.output) == [
                "zoe is online now.\n", "Ann Lee is online now.\n", "Bob is online now.\n",
                "ann lee was online already.\n", "zoe is offline now.\n", "zoe was offline already.\n",
            ]
        )
        let lines = list.output.split(separator: "\n").map { $0.prefix { $0 != "s" } }
        #expect(lines == ["Online (2)", "  ann lee  ", "  Bob      ", "Offline (1)", "  zoe      "])
        #expect(list.status == 0 && list.error == "")
    }

    @Test func `scripts get one object with every key`() async throws {
        let arrived = try await run("arrive", "Ann", "--json")
        let unchanged = try await run("arrive", "Ann", "--json")
        let left = try await run("leave", "Ann", "--json")
        let list = try await run("list", "--json")

        #expect(
            try [arrived, unchanged, left, list].map { try $0.users.outcome } == [
                "arrived", "unchanged", "left", "listed",
            ])
        #expect(
            try [arrived, unchanged, left, list].map { try $0.users.users.map(\.presence) } == [
                ["online"], ["online"], ["offline"], ["offline"],
            ])
        let ann = try #require(try list.users.users.first)
        let stored = try #require(try await service.users().users.first)
        #expect(ann.id == "ann" && ann.name == "Ann")
        #expect(try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(ann.since) == stored.since)
        #expect(list.error == "")
    }

    @Test(arguments: [
        ("", "“” can't be a name. The name is empty.", "Write at least one letter."),
        (" \t\n", "“ \\t\\n” can't be a name. The name is empty.", "Write at least one letter."),
        ("a/b", "“a/b” can't be a name. The name has a “/” in it.", "Leave out slashes, dots and control characters."),
        ("..", "“..” can't be a name. The name has a “.” in it.", "Leave out slashes, dots and control characters."),
        (
            "\u{1B}[2J", "“\\u{1B}[2J” can't be a name. The name has the control character U+001B in it.",
            "Leave out slashes, dots and control characters."
        ),
        (
            String(repeating: "x", count: 9_999),
            "“\(String(repeating: "x", count: 60))…” can't be a name. The name is too long: 50 characters are the most.",
            "Take a shorter one; some emoji count as several."
        ),
    ])
    func `an invalid name is rejected`(name: String, why: String, advice: String) async throws {
        for command in ["arrive", "leave"] {
            let result = try await run(command, name)

            #expect(result == ChildProcess.Result(status: 1, error: "sample-cli: \(why)\n\(advice)\n"))
        }
        #expect(try folder.names == [])
    }

    @Test func `a user who has never arrived can't leave`() async throws {
        let result = try await run("leave", "Ann")

        #expect(
            result
                == ChildProcess.Result(
                    status: 1,
                    error: """
                        sample-cli: \(service.folder): Nobody called “Ann” has ever been here.
                        Look for the name in the list of users.

                        """
                )
        )
    }

    @Test func `a damaged file is reported, and the others are listed`() async throws {
        _ = try await run("arrive", "Bob")
        try put("garbage", as: "ann.json")

        let people = try await run("list")
        let scripts = try await run("list", "--json")
        let arrival = try await run("arrive", "Ann")

        let file = "\(service.folder)/ann.json"
        let why = "The file is damaged: it is no JSON object."
        // Somebody is missing, so scripts must not take the list for complete.
        #expect(people.status == 1 && scripts.status == 1)
        #expect(people.output.hasPrefix("Online (1)\n  Bob  since "))
        #expect(people.error.hasPrefix("\(file): \(why) The file has been left untouched: "))
        #expect(try scripts.users.problems.map(\.file) == [file] && scripts.users.problems.map(\.text) == [why])
        #expect(try scripts.users.users.map(\.id) == ["bob"])
        #expect(arrival.status == 1 && arrival.error.hasPrefix("sample-cli: \(file): \(why)\n"))
    }

    @Test func `the text of a file never reaches a terminal unescaped`() async throws {
        let evil = #"\u001b]0;x\u0007\u009b2J\u202e"#
        try put(
            #"{"format":"relux-presence","name":"\#(evil)","presence":"online","since":"x","version":1}"#, as: "a.json")
        try put(#"{"format":"\#(evil)","version":1}"#, as: "b\u{1B}[31m.json")

        for arguments in [["list"], ["list", "--json"], ["list", "--verbose"]] {
            let result = try await ChildProcess.run(["users"] + arguments + ["--data", folder.path])

            let scalars = (result.output + result.error).unicodeScalars
            #expect(scalars.allSatisfy { $0 == "\n" || !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) })
            #expect(!scalars.contains("\u{202E}") || arguments.contains("--json"))
            #expect(result.status == 1)
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `watching reports arrivals and departures in another terminal, until it is interrupted`(
        signal: Int32,
        status: Int32
    ) async throws {
        _ = try await run("arrive", "Ann")
        let program = try watch()
        var output = program.output.makeAsyncIterator()
        #expect(await output.next() == "Online (1)")
        #expect(await output.next()?.hasPrefix("  Ann  since ") == true)

        _ = try await run("arrive", "Bob")
        let bob = await output.next()
        _ = try await run("leave", "Ann")
        let ann = await output.next()
        program.interrupt(with: signal)
        let result = await program.end()

        #expect(bob?.hasPrefix("Bob is online, since ") == true)
        #expect(ann?.hasPrefix("Ann is offline, since ") == true)
        #expect(await output.next() == nil)
        #expect(result == ChildProcess.Result(status: status))
        var errors = program.errors.makeAsyncIterator()
        #expect(await errors.next() == nil)
        // The watching program has left nothing behind.
        #expect(try await run("arrive", "Cid").status == 0)
    }

    @Test func `two terminals that watch both see the same, and scripts get a line for every change`() async throws {
        let programs = [try watch("--json"), try watch("--json")]
        var outputs = programs.map { $0.output.makeAsyncIterator() }
        for index in outputs.indices {
            #expect(await outputs[index].next() == #"{"outcome":"listed","problems":[],"users":[]}"#)
        }

        var told: [[ParsedUsersJSON]] = [[], []]
        func take() async throws {
            for index in outputs.indices { told[index].append(try ParsedUsersJSON(await outputs[index].next() ?? "")) }
        }
        _ = try await run("arrive", "Ann")
        try await take()
        try put("garbage", as: "bob.json")
        try await take()
        _ = try await run("arrive", "ANN")
        try await take()
        try FileManager.default.removeItem(atPath: "\(service.folder)/bob.json")
        try await take()
        _ = try await run("leave", "Ann")
        try await take()
        try FileManager.default.removeItem(atPath: "\(service.folder)/ann.json")
        try await take()

        for index in told.indices {
            #expect(told[index].map(\.outcome) == ["arrived", "damaged", "renamed", "mended", "left", "vanished"])
            #expect(told[index].map { $0.users.map(\.name) } == [["Ann"], [], ["ANN"], [], ["ANN"], ["ANN"]])
            #expect(told[index].map(\.problems.count) == [0, 1, 0, 1, 0, 0])
            programs[index].interrupt(with: SIGINT)
            #expect(await programs[index].end().status == 130)
        }
    }

    @Test func `damage is reported on standard error while watching, and the others are still followed`() async throws {
        let program = try watch()
        var (output, errors) = (program.output.makeAsyncIterator(), program.errors.makeAsyncIterator())
        #expect(await errors.next() == "Nobody has been here yet.")

        try put("garbage", as: "ann.json")
        let damaged = await errors.next()
        _ = try await run("arrive", "Bob")
        let bob = await output.next()
        try FileManager.default.removeItem(atPath: "\(service.folder)/ann.json")
        let mended = await errors.next()
        program.interrupt(with: SIGINT)

        #expect(damaged?.hasPrefix("\(service.folder)/ann.json: The file is damaged: it is no JSON object.") == true)
        #expect(bob?.hasPrefix("Bob is online") == true)
        #expect(mended == "\(service.folder)/ann.json: It isn't in the way any more.")
        #expect(await program.end().status == 130)
    }

    @Test func `watching ends with a failure when the folder is removed, or can't be created`() async throws {
        let program = try watch()
        var errors = program.errors.makeAsyncIterator()
        _ = await errors.next()

        try FileManager.default.removeItem(atPath: service.folder)
        let why = [await errors.next(), await errors.next(), await errors.next()]
        try folder.write("", to: "users")
        let refused = try await run("watch")

        #expect(
            why == [
                "sample-cli: \(service.folder): The folder is gone.", "Put it back, then start again.",
                "What is shown was so before.",
            ]
        )
        #expect(await program.end() == ChildProcess.Result(status: 1))
        #expect(refused.status == 1 && refused.output == "")
        #expect(refused.error.hasPrefix("sample-cli: \(service.folder): Can't use the folder: "))
    }
}

/// The output as a script parses it: only the documented keys.
private struct ParsedUsersJSON: Decodable {
    struct Row: Decodable {
        let id: String
        let name: String
        let presence: String
        let since: String
    }

    struct Problem: Decodable {
        let file: String
        let text: String
    }

    let outcome: String
    let users: [Row]
    let problems: [Problem]

    init(_ text: String) throws {
        self = try JSONDecoder().decode(ParsedUsersJSON.self, from: Data(text.utf8))
    }
}

extension ChildProcess.Result {
    fileprivate var users: ParsedUsersJSON {
        get throws { try ParsedUsersJSON(output) }
    }
}
