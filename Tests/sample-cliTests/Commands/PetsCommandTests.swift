#if os(macOS) || os(Linux)
    import LoopbackServer
    import Testing

    /// The commands for pets, with a real server.
    @Suite(.runsPrograms, .timeLimit(.minutes(10))) struct PetsCommandTests {
        private let list = #"[{"id":"b","name":"Bo","species":"dog"},{"id":"a1","name":"Ann"}]"#
        private let bo =
            ##"{"id":"b","name":"Bo","species":"dog","colour":"#c68642","phone":"+61285550143","about":"Good."}"##

        /// A process of its own, because the time limit of a request would include the time that other tests take here.
        private func run(_ arguments: String..., from server: LoopbackServer? = nil) async throws -> ChildProcess.Result
        {
            try await ChildProcess.run(["pets"] + arguments + (server.map { ["--base-url", $0.address] } ?? []))
        }

        @Test func `without a server there is a small catalogue`() async throws {
            let list = try await run("list")
            let pet = try await run("show", "pebble")

            #expect(list.status == 0 && list.error == "" && list.output.split(separator: "\n").count == 5)
            #expect(list.output.contains("pebble     Pebble     tortoise    unknown\n"))
            #expect(pet.status == 0 && pet.error == "")
            #expect(pet.output.hasPrefix("Pebble\n  Species     tortoise\n  Born        unknown\n"))
            #expect(pet.output.contains("\n  Phone       +442079460018\n"))
        }

        @Test func `a list is fetched from the server, in its order, and a pet with one request`() async throws {
            let server = try LoopbackServer { [list, bo] in .response(body: $0.path == "/api/pets" ? list : bo) }

            let people = try await run("list", from: server)
            let scripts = try await run("list", "--json", from: server)
            let pet = try await run("show", "b", from: server)
            let json = try await run("show", "b", "--json", from: server)

            #expect(people == .init(status: 0, output: "b   Bo   dog      unknown\na1  Ann  unknown  unknown\n"))
            #expect(
                scripts.output == """
                    {"pets":[{"age":"unknown","id":"b","name":"Bo","species":"dog"},\
                    {"age":"unknown","id":"a1","name":"Ann","species":"unknown"}]}

                    """)
            #expect(pet.output.hasPrefix("Bo\n  Species     dog\n") && pet.output.hasSuffix("\n  About       Good.\n"))
            #expect(json.output.hasPrefix(#"{"fields":[{"kind":"species","text":"dog"},{"kind":"born","text":"#))
            #expect(json.output.hasSuffix(#"{"kind":"about","text":"Good."}],"id":"b","name":"Bo"}"# + "\n"))
            #expect(server.requests.map(\.path) == ["/api/pets", "/api/pets", "/api/pets/b", "/api/pets/b"])
        }

        @Test func `an empty catalogue is said to people, and an empty list for scripts`() async throws {
            let server = try LoopbackServer(.response(body: "[]"))

            #expect(try await run("list", from: server) == .init(status: 0, output: "There are no pets.\n"))
            #expect(try await run("list", "--json", from: server) == .init(status: 0, output: "{\"pets\":[]}\n"))
        }

        @Test func `a missing pet is reported, without a retry`() async throws {
            let server = try LoopbackServer(.response(status: 404))

            let result = try await run("show", "b", from: server)

            #expect(
                result.error == """
                    sample-cli: \(server.address)/api/pets/b: There is no pet with the id “b”.
                    Look for its id in the list of pets; it may have found a home.

                    """)
            #expect(result.status == 1 && result.output == "")
            #expect(server.requests.count == 1)
        }

        @Test func `a server in trouble is asked again until it answers, and people are told`() async throws {
            let server = try LoopbackServer(.response(status: 503), .silence, .response(body: list))

            let people = try await run("list", from: server)
            let scripts = try await run("list", "--json", from: server)

            let place = "\(server.address)/api/pets"
            #expect(
                people.error == """
                    \(place): The server is in trouble (status 503). Trying again (2 of 4).
                    \(place): The connection broke off before the answer was complete. Trying again (3 of 4).

                    """)
            #expect(people.status == 0 && people.output.hasPrefix("b   Bo"))
            #expect(scripts.status == 0 && scripts.error == "" && server.requests.count == 4)
        }

        @Test func `a server that doesn't recover is a failure in the end`() async throws {
            let vacancy = try LoopbackServer.Vacancy()

            let result = try await run("list", "--json", "--base-url", vacancy.address)

            #expect(try result.status == 1 && result.output == "" && result.code == "unavailable")
        }

        @Test func `text from a server can't control the terminal`() async throws {
            let text = #"\u001b[2J\nx"#
            let pet = #"{"id":"b","name":"\#(text)","species":"\#(text)","phone":"\#(text)","about":"\#(text)"}"#
            let server = try LoopbackServer { request in .response(body: request.path == "/api/pets" ? "[\(pet)]" : pet)
            }
            let wrong = try LoopbackServer(.response(body: #"{"id":"\#(text)","name":""}"#))

            let list = try await run("list", from: server)
            let show = try await run("show", "b", from: server)
            let error = try await run("show", "b", from: wrong)

            #expect(list.output == #"b  \u{1B}[2J\nx  \u{1B}[2J\nx  unknown"# + "\n")
            #expect(show.output.hasPrefix(#"\u{1B}[2J\nx"# + "\n"))
            #expect(error.error.contains(#"it is about “\u{1B}[2J\nx”, not “b”."#))
            for result in [list, show, error] { #expect(!(result.output + result.error).contains("\u{1B}")) }
        }
    }
#endif
