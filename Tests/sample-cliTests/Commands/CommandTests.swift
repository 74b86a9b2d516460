import Foundation
import Testing

/// What each command does, for people and for scripts.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    private let folder: TemporaryFolder
    private let program: TestedProgram

    init() throws {
        folder = try TemporaryFolder()
        program = TestedProgram(folder: folder)
    }

    private func add(_ titles: String...) async {
        for title in titles { await program("items", "add", title) }
    }

    private var titles: [String] {
        get async throws { try await program("items", "list", "--json").titles }
    }

    // MARK: Items

    @Test func `items are added and listed, with numbers`() async throws {
        #expect(await program("items", "list").output == "There is nothing on the list.\n")
        #expect(try await program("items", "add", "Buy", "milk", "--json").titles == ["Buy milk"])
        #expect(await program("items", "add", "Call\u{1B} mum", "--top").output == "Added  Call mum\n")

        #expect(await program("items", "list").output == "To do (2)\n  1  Call mum\n  2  Buy milk\n")
    }

    @Test(
        arguments: [
            (["done", "3", "1"], "Done  c\nDone  a\n", ["b", "(a)", "(c)", "(d)"]),
            (["reopen", "4"], "Reopened  d\n", ["a", "b", "c", "d"]),
            (["move", "3", "1"], "Moved  c\n", ["c", "a", "b", "(d)"]),
            (["rename", "2", "B", "b"], "Renamed  B b\n", ["a", "B b", "c", "(d)"]),
            (["delete", "4", "2"], "Deleted  d\nDeleted  b\n", ["a", "c"]),
            (["clear", "-y"], "Deleted  d\n", ["a", "b", "c"]),
            (["delete-all", "--yes"], "Deleted  a\nDeleted  b\nDeleted  c\nDeleted  d\n", []),
        ])
    func `a change says what it has changed, and is undone and redone by later calls`(
        arguments: [String], output: String, after: [String]
    ) async throws {
        await add("a", "b", "c", "d")
        await program("items", "done", "4")
        let before = try await titles

        let result = await program.run(["items"] + arguments)
        let changed = try await titles
        let undone = try await program("items", "undo", "--json").titles
        let redone = await program("items", "redo")

        #expect(result == .init(status: 0, output: output) && changed == after)
        #expect(undone == before && redone.status == 0)
        #expect(try await titles == after)
    }

    @Test(arguments: [
        (["add", " "], "The title is blank."), (["done", "1", "4"], "There is no item 4: they go from 1 to 3."),
        (["done", "1", "3"], "“c” is completed. Reopen it first."), (["reopen", "1"], "“a” isn't completed."),
        (["rename", "3", "x"], "“c” is completed. Reopen it first."), (["rename", "1", "\t"], "The title is blank."),
        (["move", "1", "3"], "There is no position 3: they go from 1 to 2."),
        (["delete", "5"], "There is no item 5: they go from 1 to 3."), (["redo"], "There is nothing to redo."),
    ])
    func `what can't be done is refused with status 1, and changes nothing`(
        arguments: [String], message: String
    ) async throws {
        await add("a", "b", "c")
        await program("items", "done", "3")

        let result = await program.run(["items"] + arguments)
        let json = await program.run(["items"] + arguments + ["--json"])

        #expect(result == .init(status: 1, error: "sample-cli: \(message)\n"))
        #expect(try json.code == "refused")
        #expect(try await titles == ["a", "b", "(c)"])
    }

    @Test func `many items are deleted only after a yes`() async throws {
        await add("a", "b")

        let no = await program("items", "delete-all", answer: "n")
        let yes = await program("items", "delete-all", answer: " Yes ")
        let nothing = await program("items", "clear", answer: "y")

        #expect(no == .init(status: 1, error: "Delete 2 items? [y/N] "))
        #expect(yes == .init(status: 0, output: "Deleted  a\nDeleted  b\n", error: "Delete 2 items? [y/N] "))
        #expect(nothing == .init(status: 0, output: "There is nothing to delete.\n"))
    }

    // MARK: Session, settings and users

    @Test func `each profile has its own list, history and settings`() async throws {
        await add("Common")

        let login = await program("session", "login", "Ada", "L.")
        await program("settings", "set", "theme", "collaroy")
        await add("Secret")
        let status = await program("session", "status", "--json")
        #expect(try await titles == ["Secret"])
        let logout = await program("session", "logout")

        #expect(login == .init(status: 0, output: "Ada L. is signed in.\n"))
        #expect(status == .init(status: 0, output: "{\"profile\":\"Ada L.\"}\n"))
        #expect(logout == .init(status: 0, output: "Nobody is signed in.\n"))
        #expect(try await titles == ["Common"])
        #expect(await program("settings", "list").output.contains("  Theme         pilbara\n"))
        #expect(await program("items", "undo").output == "There is nothing on the list.\n")
    }

    @Test func `settings are shown and set, one at a time`() async throws {
        await program("settings", "set", "display-name", "Ada", "L.")
        await program("settings", "set", "list-name", "To buy")
        let json = await program("settings", "set", "theme", "collaroy", "--json")
        let people = await program("settings", "set", "list-name", "")

        #expect(json.output == "{\"displayName\":\"Ada L.\",\"listName\":\"To buy\",\"theme\":\"collaroy\"}\n")
        #expect(
            people.output == """
                Names
                  Display name  Ada L.
                  List name     (none)
                Appearance
                  Theme         collaroy
                Session
                  Signed in as  (nobody)

                """)
    }

    @Test func `users are listed by presence and name`() async throws {
        let people = await program("users", "list")
        let scripts = await program("users", "list", "--json")

        let names = people.output.split(separator: "\n").map { $0.split(separator: " ")[0] }
        #expect(names == ["Online", "Ada", "Chandra", "Eun-Ji", "Offline", "Björn", "Dmitri"])
        #expect(scripts.output.hasPrefix(#"{"isFailed":false,"sections":[{"isOnline":true,"rows":[{"id":"ada","#))
        #expect(people.status == 0 && people.error == "" && scripts.error == "")
    }

    // MARK: Traces

    @Test func `a recorded command is shown, explained, and verified`() async throws {
        let file = folder.path(of: "trace")
        let recorded = await program("settings", "set", "theme", "collaroy", "--trace", file)

        let lines = await program("trace", "show", file)
        let why = await program("trace", "why", file, "Settings.State.values.theme")
        let unknown = await program("trace", "why", file, "Nothing.State")
        let page = await program("trace", "html", file)
        let events = await program("trace", "perfetto", file)
        let verified = await program("trace", "verify", file)

        #expect(recorded.status == 0 && recorded.error == "")
        #expect([lines, why, page, events, verified].allSatisfy { $0.status == 0 && $0.error == "" })
        #expect(lines.output.contains("Settings.State.Action.chosen(.theme("))
        #expect(why.output.hasPrefix("Settings.State.values.theme changed from ") && why.output.contains(".collaroy"))
        #expect(why.output.contains("sample_cli/CommandTable+Session.swift:"))
        #expect(unknown.status == 1 && unknown.output.contains("It has those of "))
        #expect(
            page.output.hasPrefix("<!DOCTYPE html>") && page.output.contains("<title>sample-cli settings set</title>"))
        #expect(try JSONSerialization.jsonObject(with: Data(events.output.utf8)) is [String: Any])
        #expect(verified.output == "1 reduction gives the same states again.\n")
    }

    /// It used to replace the trace by an empty one.
    @Test func `explaining a trace records none`() async throws {
        let file = folder.path(of: "trace")
        await program("settings", "set", "theme", "collaroy", "--trace", file)
        let before = try String(contentsOfFile: file, encoding: .utf8)

        let result = await program("trace", "show", file, "--trace", file)
        let help = await program("trace", "show", "--help")

        #expect(result.status == 64 && result.error.contains("The option --trace makes no sense with this command."))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        #expect(!help.output.contains("--trace FILE"))
    }

    @Test func `files that are no traces are refused, and one that can't be written is a failure`() async throws {
        try folder.write("garbage", to: "trace")

        let other = await program("trace", "show", folder.path(of: "trace"))
        let missing = await program("trace", "show", folder.path(of: "missing"))
        let isFolder = await program("trace", "show", folder.path)
        let unwritable = await program("items", "list", "--trace", folder.path(of: "missing/file"))

        #expect(other.status == 1 && other.error.hasPrefix("sample-cli: "))
        #expect(missing.status == 1 && missing.error.hasSuffix("missing can't be read: No such file or directory\n"))
        #expect(isFolder.status == 1 && isFolder.error.hasSuffix("can't be read: Is a directory\n"))
        #expect(unwritable.status == 1 && unwritable.error.contains("The trace could not be written to "))
    }

    @Test func `the map lists modules, as text and as a chart`() async throws {
        let map = await program("map")
        let chart = await program("map", "--mermaid")

        #expect(map.status == 0 && map.output.contains("\nItems.Module in Account.Module[guest]\n  owns "))
        #expect(chart.status == 0 && chart.output.hasPrefix("flowchart LR\n"))
    }
}
