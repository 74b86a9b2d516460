import LoopbackServer
import Testing

/// Pets full-screen, from a server that keeps its silence: the real program, in a real terminal.
@Suite(.timeLimit(.minutes(5))) struct PetsOnScreenTests {
    @Test func `who leaves the page of a pet hangs up on the server`() async throws {
        let (folder, never) = (try TemporaryFolder(), try Latch())
        let server = try LoopbackServer { request in
            request.path.hasSuffix("/pets")
                ? .response(body: #"[{"id":"b","name":"Bo","species":"dog"}]"#) : .held(never, then: .silence)
        }
        try folder.rememberTutorial()
        let session = try TerminalSession(["tui", "--data", folder.path, "--base-url", server.address])
        try await session.see("There is nothing on the list")

        try session.type("2")
        try await session.see("> ■ Bo")
        try session.type("\r")
        await server.requests(atLeast: 2)
        let page = try await session.see("Loading.")
        try session.type("\u{1B}[D")
        await server.hangUps(atLeast: 1)
        let list = try await session.see("> ■ Bo")

        #expect(page.lines[1] == "Bo")
        #expect(!list.text.contains("Loading."))
    }
}
