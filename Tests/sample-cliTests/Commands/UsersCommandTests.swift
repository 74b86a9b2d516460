import Foundation
import SampleServices
import Testing

/// The real program with real files.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct UsersCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["users"] + arguments + ["--data", folder.path], environment: ["TZ": "UTC"])
    }

    private var service: FileUsersService { FileUsersService(folder: folder.path) }

    @Test func `if nobody has ever arrived, nobody is listed, and nothing is created`() async throws {
        let people = try await run("list")
        let scripts = try await run("list", "--json")

        #expect(people == ChildProcess.Result(status: 0, output: "", error: "Nobody has been here yet.\n"))
        #expect(
            scripts == ChildProcess.Result(status: 0, output: #"{"outcome":"listed","users":[]}"# + "\n")
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
        let stored = try #require(try await service.load().value.users.first)
        #expect(ann.id == "ann" && ann.name == "Ann")
        #expect(try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(ann.since) == stored.since)
        #expect(list.error == "")
    }

    @Test(arguments: [
        ("", "“” can't be a name. The name is empty."),
        (" \t", "“ \\t” can't be a name. The name has a character that can't be seen: U+0009."),
        ("a/b", "“a/b” can't be a name. The name “a/b” has a slash."),
        ("..", "“..” can't be a name. The name “..” has nothing but dots."),
        ("\u{1B}[2J", "“\\u{1B}[2J” can't be a name. The name has a character that can't be seen: U+001B."),
        (
            String(repeating: "x", count: 9_999),
            "“\(String(repeating: "x", count: 60))…” can't be a name. The name is too long: it can have 64 characters at most."
        ),
    ])
    func `an invalid name is rejected`(name: String, why: String) async throws {
        for command in ["arrive", "leave"] {
            let result = try await run(command, name)

            let advice = "Choose a short name without slashes, such as “Ada”."
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
                        sample-cli: Nobody called “Ann” has ever been here.
                        Look for the name in the list of users.

                        """
                )
        )
        #expect(try folder.names == [])
    }

    @Test func `a damaged file is reported, and kept as it is`() async throws {
        try folder.write("garbage", to: "users.json")

        let people = try await run("list")
        let arrival = try await run("arrive", "Ann")

        let why = "sample-cli: \(service.file): The file is damaged: it is not the JSON of users.\n"
        #expect(people.status == 1 && people.output == "" && people.error.hasPrefix(why))
        #expect(arrival.status == 1 && arrival.error.hasPrefix(why))
        #expect(try folder.read("users.json") == "garbage")
    }

    @Test func `the text of a file never reaches a terminal unescaped`() async throws {
        let evil = #"\u001b]0;x\u0007\u009b2J\u202e"#
        let user = #"{"name":"\#(evil)","presence":"online","since":"x"}"#
        let texts = [
            #"{"format":"relux-users","version":1,"users":[\#(user)]}"#, #"{"format":"\#(evil)","version":1}"#,
        ]

        for (text, arguments) in texts.flatMap({ text in [["list"], ["list", "--json"]].map { (text, $0) } }) {
            try folder.write(text, to: "users.json")
            let result = try await ChildProcess.run(["users"] + arguments + ["--data", folder.path])

            let scalars = (result.output + result.error).unicodeScalars
            #expect(scalars.allSatisfy { $0 == "\n" || !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) })
            #expect(!scalars.contains("\u{202E}") || arguments.contains("--json"))
            #expect(result.status == 1)
        }
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

    let outcome: String
    let users: [Row]

    init(_ text: String) throws {
        self = try JSONDecoder().decode(ParsedUsersJSON.self, from: Data(text.utf8))
    }
}

extension ChildProcess.Result {
    fileprivate var users: ParsedUsersJSON {
        get throws { try ParsedUsersJSON(output) }
    }
}
