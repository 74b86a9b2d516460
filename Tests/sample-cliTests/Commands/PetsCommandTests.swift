import Foundation
import LoopbackServer
import Testing

/// The real program with a real server.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct PetsCommandTests {
    private let list = #"[{"id":"b","name":"Bo","species":"dog"},{"id":"a1","name":"Ann"}]"#
    private let bo = """
        {"id":"b","name":"Bo","species":"dog","birthday":"2021-03-09","colour":"#c68642",
        "arrived":"2024-11-02T09:30:00.5Z","phone":"+61285550143","about":"Good."}
        """

    private func run(_ arguments: String..., from server: LoopbackServer? = nil) async throws -> ChildProcess.Result {
        let address = server.map { ["--base-url", $0.address] } ?? []
        return try await ChildProcess.run(["pets"] + arguments + address)
    }

    @Test func `without a server there is a small catalogue, wherever the program is`() async throws {
        let list = try await run("list")
        let pet = try await run("show", "pebble")

        #expect(list.status == 0 && list.error == "")
        #expect(list.output.split(separator: "\n").count == 5)
        #expect(list.output.contains("pebble     Pebble     tortoise    unknown\n"))
        #expect(pet.status == 0 && pet.error == "")
        #expect(pet.output.hasPrefix("Pebble\n  Species     tortoise\n  Born        unknown\n"))
        #expect(pet.output.contains("\n  Phone       +442079460018\n"))
    }

    @Test func `a list is fetched from the server, in its order`() async throws {
        let server = try LoopbackServer(.response(body: list))

        let people = try await run("list", from: server)
        let scripts = try await run("list", "--json", from: server)

        #expect(people.output == "b   Bo   dog      unknown\na1  Ann  unknown  unknown\n")
        #expect(
            scripts.output == """
                {"outcome":"listed","pets":[\
                {"birthday":null,"colour":null,"id":"b","name":"Bo","species":"dog"},\
                {"birthday":null,"colour":null,"id":"a1","name":"Ann","species":null}]}

                """
        )
        #expect([people.error, scripts.error] == ["", ""] && [people.status, scripts.status] == [0, 0])
        #expect(server.requests.map(\.path) == ["/api/pets", "/api/pets"])
    }

    @Test func `a pet is fetched from the server with one request`() async throws {
        let server = try LoopbackServer(.response(body: bo))

        let people = try await run("show", "b", from: server)
        let scripts = try await run("show", "b", "--json", from: server)

        #expect(people.output.hasPrefix("Bo\n  Species     dog\n"))
        #expect(people.output.hasSuffix("\n  Phone       +61285550143\n  About       Good.\n"))
        #expect(
            scripts.output == """
                {"outcome":"shown","pets":[{"about":"Good.","arrived":"2024-11-02T09:30:00Z",\
                "birthday":"2021-03-09","colour":"#C68642","id":"b","name":"Bo","phone":"+61285550143",\
                "species":"dog"}]}

                """
        )
        #expect(server.requests.map(\.path) == ["/api/pets/b", "/api/pets/b"])
    }

    @Test func `an empty catalogue is neither data nor a failure`() async throws {
        let server = try LoopbackServer(.response(body: "[]"))

        let people = try await run("list", from: server)
        let scripts = try await run("list", "--json", from: server)

        #expect(people == ChildProcess.Result(status: 0, error: "There are no pets.\n"))
        #expect(scripts == ChildProcess.Result(status: 0, output: "{\"outcome\":\"listed\",\"pets\":[]}\n"))
    }

    @Test func `a missing pet is reported, without a retry`() async throws {
        let server = try LoopbackServer(.response(status: 404))

        let result = try await run("show", "b", from: server)

        #expect(
            result
                == failure(
                    """
                    \(server.address)/api/pets/b: There is no pet with the id “b”.
                    Look for its id in the list of pets; it may have found a home.
                    """)
        )
        #expect(server.requests.count == 1)
        #expect(try await run("show", "").error.contains("There is no pet with the id “”."))
    }

    @Test func `a malformed answer is reported, without a retry`() async throws {
        let server = try LoopbackServer(.response(body: "<html>"))

        let result = try await run("list", from: server)

        #expect(
            result
                == failure(
                    """
                    \(server.address)/api/pets: The answer can't be understood: it is no JSON.
                    Check that this is the address of a catalogue of pets.
                    """)
        )
        #expect(server.requests.count == 1)
    }

    @Test func `a server with an internal error is asked again, until it answers`() async throws {
        let server = try LoopbackServer(.response(status: 503), .half(body: list), .silence, .response(body: "[]"))

        let result = try await run("list", "--json", from: server)

        // A script needs no progress, so the four attempts aren't reported.
        #expect(result.status == 0 && result.error == "" && result.output.hasPrefix("{\"outcome\":\"listed\""))
        #expect(server.requests.count == 4)
    }

    @Test func `a server whose errors persist is a failure in the end`() async throws {
        let server = try LoopbackServer(.response(status: 500))

        let result = try await run("show", "b", from: server)

        #expect(
            result
                == failure(
                    """
                    \(server.address)/api/pets/b: The server is in trouble (status 500).
                    Try again later, or tell those who run the server.
                    """, after: "\(server.address)/api/pets/b: The server is in trouble (status 500).")
        )
        #expect(server.requests.count == 4)
    }

    @Test func `an address at which nothing answers is a failure`() async throws {
        let vacancy = try LoopbackServer.Vacancy()

        let result = try await run("list", "--base-url", vacancy.address)

        #expect(
            result
                == failure(
                    """
                    \(vacancy.address)/api/pets: The server doesn't respond.
                    Check the address, and that the server is running, then try again.
                    """, after: "\(vacancy.address)/api/pets: The server doesn't respond.")
        )
    }

    @Test func `on a terminal, each attempt is reported`() async throws {
        let terminal = try PseudoTerminal()
        let server = try LoopbackServer(.response(status: 503), .silence, .response(body: list))

        let result = try await ChildProcess.run(
            ["pets", "list", "--base-url", server.address], environment: ["TERM": "dumb"], errorOutput: terminal.handle
        )

        let place = "\(server.address)/api/pets"
        #expect(result.status == 0 && result.output.hasPrefix("b   Bo"))
        #expect(
            terminal.read() == """
                \(place): The server is in trouble (status 503). Trying again (2 of 4).\r
                \(place): The connection broke off before the answer was complete. Trying again (3 of 4).\r

                """
        )
    }

    @Test func `text from a server can't control the terminal`() async throws {
        let text = #"\u001b[2J\nx"#
        let pet = #"{"id":"b","name":"\#(text)","species":"\#(text)","phone":"\#(text)","about":"\#(text)"}"#
        let server = try LoopbackServer { request in .response(body: request.path == "/api/pets" ? "[\(pet)]" : pet) }
        let wrong = try LoopbackServer(.response(body: #"{"id":"\#(text)","name":""}"#))

        let list = try await run("list", from: server)
        let show = try await run("show", "b", from: server)
        let json = try await run("show", "b", "--json", from: server)
        let error = try await run("show", "b", from: wrong)

        #expect(list.output == #"b  \u{1B}[2J\nx  \u{1B}[2J\nx  unknown"# + "\n")
        #expect(show.output.hasPrefix(#"\u{1B}[2J\nx"# + "\n"))
        #expect(show.output.hasSuffix(#"  About       \u{1B}[2J\nx"# + "\n"))
        #expect(error.error.contains(#"it is about “\u{1B}[2J\nx”, not “b”."#))
        for result in [list, show, json, error] {
            #expect(!result.output.contains("\u{1B}") && !result.error.contains("\u{1B}"))
        }
    }

    @Test func `an interruption immediately ends the wait for a slow server`() async throws {
        let latch = try Latch()
        let server = try LoopbackServer(.held(latch, then: .response(body: list)))

        let result = try await ChildProcess.run(
            ["pets", "list", "--verbose", "--base-url", server.address],
            interruption: ChildProcess.Interruption(signal: SIGINT, marker: "Pets.Effect load")
        )

        #expect(result.status == 130 && !result.wasEndedBySignal)
        #expect(result.output == "" && !result.error.contains("sample-cli:"))
    }

    @Test func `verbose logs every action on standard error, and doesn't affect the data`() async throws {
        let result = try await run("show", "pebble", "--json", "--verbose")

        #expect(result.output.hasPrefix("{\"outcome\":\"shown\"") && result.output.hasSuffix("}\n"))
        #expect(result.error.contains("Pets.Command open") && result.error.contains("Pets.Progress<Pet> loaded"))
    }

    /// A failure, after the reports of three attempts with a setback if there is one.
    private func failure(_ text: String, after setback: String? = nil) -> ChildProcess.Result {
        let reports = setback.map { setback in (2...4).map { "\(setback) Trying again (\($0) of 4).\n" }.joined() }
        return ChildProcess.Result(status: 1, error: "\(reports ?? "")sample-cli: \(text)\n")
    }
}
