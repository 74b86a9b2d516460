import LoopbackServer
import Testing

/// Pets full-screen, from a server that doesn't answer or is slow: the real program in a real terminal.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct PetsOnScreenTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start(with server: LoopbackServer) async throws -> TerminalSession {
        let session = try TerminalSession(["tui", "--data", folder.path, "--base-url", server.address])
        try await session.see("There is nothing on the list")
        return session
    }

    @Test func `leaving the page of a pet closes the connection to the server`() async throws {
        let never = try Latch()
        let server = try LoopbackServer { request in
            request.path.hasSuffix("/pets") ? .response(body: list) : .held(never, then: .silence)
        }
        let session = try await start(with: server)

        try session.type("2")
        try await session.see("> ■ Bo")
        try session.type("\r")
        // Looked for at once: on a busy machine, the request might have run out of time before this continues.
        let page = try await session.see("Loading.")
        await server.requests(atLeast: 2)
        try session.type("\u{1B}[D")
        await server.hangUps(atLeast: 1)
        let shown = try await session.see("> ■ Bo")

        #expect(page.lines[1] == "Bo")
        #expect(!shown.text.contains("Loading."))
    }

    @Test func `pets that can't be loaded are reported, with a retry`() async throws {
        let trouble = LoopbackServer.Answer.response(status: 503)
        // A load makes four attempts. The second load fails once.
        let server = try LoopbackServer(trouble, trouble, trouble, trouble, trouble, .response(body: list))
        let session = try await start(with: server)

        try session.type("2")
        let failed = try await session.see("(r tries again) \(server.address)")
        try session.type("r")
        let trying = try await session.see("Trying again (2 of 4).")
        let loaded = try await session.see("> ■ Bo")

        #expect(failed.text.contains("The server is in trouble (status 503)."))
        #expect(!trying.text.contains("(r tries again)"))
        #expect(!loaded.text.contains("Trying again") && !loaded.text.contains("(r tries again)"))
        #expect(server.requests.count == 6)
    }
}

private let list = #"[{"id":"b","name":"Bo","species":"dog"}]"#
