import Foundation
import Testing

/// The real program, with profiles in a real folder.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct SessionCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--data", folder.path])
    }

    @Test func `at first nobody is signed in, and reading creates nothing`() async throws {
        let people = try await run("session", "status")
        let scripts = try await run("session", "status", "--json")
        let leaving = try await run("session", "logout")

        #expect(people == ChildProcess.Result(status: 0, output: "Nobody is signed in.\n"))
        #expect(scripts.output == "{\"folder\":\"\(folder.path)\",\"outcome\":\"shown\",\"profile\":null}\n")
        #expect(leaving == ChildProcess.Result(status: 0, output: "Nobody is signed in.\n"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `a profile is signed in until it signs out`() async throws {
        let login = try await run("session", "login", " Ada ")
        let status = try await run("session", "status", "--json")
        let other = try await run("session", "login", "Bob", "--json")
        let logout = try await run("session", "logout", "--json")

        #expect(login == ChildProcess.Result(status: 0, output: "Ada is signed in.\n"))
        #expect(
            status.output
                == "{\"folder\":\"\(folder.path)/profiles/Ada\",\"outcome\":\"shown\",\"profile\":\"Ada\"}\n")
        #expect(
            other.output
                == "{\"folder\":\"\(folder.path)/profiles/Bob\",\"outcome\":\"signedIn\",\"profile\":\"Bob\"}\n")
        #expect(logout.output == "{\"folder\":\"\(folder.path)\",\"outcome\":\"signedOut\",\"profile\":null}\n")
        #expect(try await run("session", "status").output == "Nobody is signed in.\n")
    }

    @Test func `each profile has a list and a history of its own, as does the common folder`() async throws {
        try await run("items", "add", "Common")
        try await run("session", "login", "Ada")
        let empty = try await run("items", "list")
        try await run("items", "add", "Secret")
        try await run("session", "login", "Bob")
        let undo = try await run("items", "undo")
        let bob = try await run("items", "list", "--json")
        try await run("session", "logout")
        let common = try await run("items", "list", "--json")
        try await run("session", "login", "Ada")
        let ada = try await run("items", "list", "--json")

        #expect(empty == ChildProcess.Result(status: 0, error: "There is nothing on the list.\n"))
        #expect(undo == ChildProcess.Result(status: 1, error: "sample-cli: There is nothing to undo.\n"))
        #expect(try bob.json.items.isEmpty)
        #expect(try common.json.items.map(\.title) == ["Common"])
        #expect(try ada.json.items.map(\.title) == ["Secret"])
    }

    @Test func `settings are stored by profile, and show who is signed in`() async throws {
        let first = try await run("settings", "list")
        try await run("session", "login", "Ada")
        let changed = try await run("settings", "set", "display-name", "Ada", "L.")
        let json = try await run("settings", "set", "theme", "collaroy", "--json")
        try await run("settings", "set", "list-name", "Chores")
        let ada = try await run("settings", "list", "--json")
        try await run("session", "logout")
        let common = try await run("settings", "list", "--json")

        #expect(
            first
                == ChildProcess.Result(
                    status: 0,
                    output: """
                        Names
                          Display name  (none)
                          List name     (none)
                        Appearance
                          Theme         pilbara

                        """
                )
        )
        #expect(changed.output.contains("\n  Display name  Ada L.\n"))
        #expect(changed.output.hasSuffix("\n  Signed in as  Ada  (session logout signs out)\n"))
        #expect(
            json.output == """
                {"outcome":"changed","profile":"Ada","settings":{"displayName":"Ada L.","listName":"",\
                "theme":"collaroy"}}

                """
        )
        #expect(
            ada.output == """
                {"outcome":"listed","profile":"Ada","settings":{"displayName":"Ada L.","listName":"Chores",\
                "theme":"collaroy"}}

                """
        )
        #expect(
            common.output == """
                {"outcome":"listed","profile":null,"settings":{"displayName":"","listName":"",\
                "theme":"pilbara"}}

                """
        )
    }

    @Test func `concurrent changes of settings by many programs are all kept`() async throws {
        try await withThrowingTaskGroup { group in
            for (name, value) in [
                ("display-name", "Ada"), ("list-name", "Chores"), ("theme", "collaroy"),
            ] {
                group.addTask { try await run("settings", "set", name, value).status }
            }
            for try await status in group { #expect(status == 0) }
        }

        let result = try await run("settings", "list", "--json")

        #expect(
            result.output == """
                {"outcome":"listed","profile":null,"settings":{"displayName":"Ada","listName":"Chores",\
                "theme":"collaroy"}}

                """
        )
    }

    @Test func `a choice that the rules reject changes nothing`() async throws {
        let long = try await run("settings", "set", "display-name", String(repeating: "x", count: 81))
        let lines = try await run("settings", "set", "list-name", "a\nb")

        #expect(
            long
                == ChildProcess.Result(
                    status: 1, error: "sample-cli: The name is too long: it can have 80 characters at most.\n"))
        #expect(lines.status == 1 && lines.error.contains("has to fit in one line"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `while the profile can't be read, nobody's data are touched`() async throws {
        try await run("items", "add", "Common")
        try folder.write(#"{"format":"relux-session","version":1,"profile":"../x"}"#, to: "session.json")
        let before = try folder.read()

        let results = [
            try await run("items", "add", "More"), try await run("items", "list"), try await run("settings", "list"),
            try await run("settings", "set", "theme", "collaroy"), try await run("session", "status"),
            try await run("session", "login", "Ada"), try await run("session", "logout"),
        ]

        let text = """
            sample-cli: \(folder.path)/session.json: The file is damaged: a profile can't be called that. \
            The name “../x” has a slash.
            The file has been left untouched: mend it in a text editor, or remove it to begin without it.

            """
        #expect(results.allSatisfy { $0 == ChildProcess.Result(status: 1, error: text) })
        #expect(try folder.read() == before)
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock", "session.json"])
    }

    @Test func `damaged settings are reported and left unchanged`() async throws {
        try folder.write(#"{"format":"relux-settings","version":1,"theme":"\u001b[2J"}"#, to: "settings.json")

        let list = try await run("settings", "list")
        let set = try await run("settings", "set", "theme", "pilbara")

        let place = "\(folder.path)/settings.json: The file is damaged: there is no theme “\\u{1B}[2J”, "
        #expect(list.status == 1 && list.output == "" && list.error.hasPrefix("sample-cli: \(place)"))
        #expect(set.status == 1 && set.error.hasPrefix("sample-cli: The change could not be saved.\n\(place)"))
        #expect(!list.error.contains("\u{1B}") && !set.error.contains("\u{1B}"))
    }

    @Test func `verbose logs every action on standard error, and doesn't affect the data`() async throws {
        let result = try await run("session", "login", "Ada", "--json", "--verbose")

        #expect(result.output.hasPrefix("{\"folder\"") && result.output.hasSuffix("}\n"))
        #expect(result.error.contains("Session.Command signIn") && result.error.contains("entered"))
    }
}
