import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxQueries
import Testing

@testable import Conduit
@testable import conduit_cli

@Suite("Screen", .timeLimit(.minutes(10)))
struct ScreenTests {
    private static let ann = SignIn(email: "ann@example.com", password: "secret")

    private func makeStore(_ transport: DirectTransport) async throws -> Relux.Store {
        try await Relux.Store { Application(transport, storage: Relux.MemoryStorage()) }
    }

    /// Executes commands, each when the one before is done.
    private func execute(_ commands: String..., in store: Relux.Store) async throws {
        for command in commands {
            await Program(store: store).execute(command)
            try await store.idle()
        }
    }

    @Test("no text of a server can control the terminal or add a line")
    func control() async throws {
        let server = ConduitServer.inhabited(articles: 0)
        let user = ["username": "eve\u{1B}[2J", "email": "eve@example.com", "password": "secret"]
        let token = server.post("/api/users", ["user": user]).token
        let article: [String: Any] = [
            "title": "a\u{1B}]0;b\u{7}\u{202E}c\n1. d", "body": "e\r\n\u{9B}f\u{2028}g", "tagList": ["h\u{1B}[1m"],
        ]
        server.post("/api/articles", ["article": article], token: token)
        let store = try await makeStore(DirectTransport(server))
        let feed = try await store.call(Relux.Fetch(Feed.self, .global, .anew))
        try await store.idle()

        let lines = await store.read { Screen($0) }.lines
        let slug = try #require(feed.elements.first?.id)
        await store.dispatch(Pages.Action.push(.article(slug))).finished()
        try await store.idle()
        let page = await store.read { Screen($0) }.lines

        #expect(page.contains { $0.contains("e\\r\\n") })
        for scalar in (lines + page).joined().unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && ![0x202E, 0x2028].contains(scalar.value))
        }
    }

    @Test("rows have the numbers by which they are opened")
    func numbers() async throws {
        let store = try await makeStore(DirectTransport(.inhabited()))
        // One article is in no answer.
        let rows = ["x", "article-0-4", "article-1-5"].map { Feed.Row(id: $0) }
        _ = try await store.call(Relux.Fetch(Feed.self, .global, .anew))
        await store.dispatch(Relux.Provide(Feed.self, .init(rows, next: nil), for: .global, at: .seconds(1_000_000)))

        let screen = await store.read { Screen($0) }

        #expect(screen.slugs == ["article-0-4", "article-1-5"])
        #expect(screen.lines.contains { $0.hasPrefix("1. Article 0") })
        #expect(screen.lines.contains { $0.hasPrefix("2. Article 1") })
    }

    @Test("failures of the session, a notice, a profile and comments are shown together with the rest")
    func failures() async throws {
        let transport = DirectTransport(.inhabited(articles: 1))
        let store = try await makeStore(transport)
        await store.dispatch(Session.Action.failed(.invalid(["wrong"])))
        await store.dispatch(Notice.Action.show(.missing))
        #expect(await store.read { Screen($0) }.lines.filter { $0.hasPrefix("!") }.count == 2)

        _ = try await store.call(Relux.Fetch(Articles.self, "article-0-4"))
        await store.dispatch(Pages.Action.push(.article("article-0-4"))).finished()
        try await store.idle()
        transport.isOffline = true
        await store.dispatch(Relux.Fetch(Comments.self, "article-0-4", .anew)).finished()
        #expect(await store.read { Screen($0) }.lines.contains { $0.hasSuffix("! offline") })

        await store.dispatch(Pages.Action.push(.profile("bob"))).finished()
        await store.dispatch(Relux.Fetch(Profiles.self, "bob", .anew)).finished()
        try await store.idle()
        #expect(await store.read { Screen($0) }.lines.filter { $0.hasSuffix("! offline") }.count == 2)
    }

    @Test("a failure to publish is shown")
    func publishing() async throws {
        let store = try await makeStore(DirectTransport(.inhabited(articles: 1)))
        try await store.perform(Self.ann)
        await store.dispatch(Pages.Action.push(.editor(nil)))
        let editor = try await store.editor()

        await editor.dispatch(Publish()).finished()

        #expect(await store.read { Screen($0) }.lines.contains { $0.hasPrefix("! ") && $0.contains("be empty") })
    }

    @Test("a second write stays in the editor that is open")
    func writing() async throws {
        let store = try await makeStore(DirectTransport(.inhabited(articles: 1)))

        try await execute("write", "title Once", "write", "text Words", in: store)

        #expect(try await store.state(of: Pages.self).entries.count == 1)
        let text = try await store.editor().state(of: EditorState.self).draft.text
        #expect(text.title == "Once" && text.body == "Words")
    }

    @Test("an article that is opened and edited keeps its text")
    func editing() async throws {
        let store = try await makeStore(DirectTransport(.inhabited(articles: 1)))

        try await execute("login bob@example.com secret", "reload", in: store)
        try await execute("open 1", "edit", "title Changed", "publish", in: store)

        let article = try await store.call(Relux.Fetch(Articles.self, "article-0-4", .anew))
        #expect(article.title == "Changed" && article.body == "Text 0")
    }

    @Test("each server has a folder of its own")
    func folders() throws {
        let addresses = [
            "http://localhost:8080", "http://localhost:8081", "http://localhost", "https://localhost",
            "http://127.0.0.1:8080",
        ]
        let folders = try addresses.map { address in
            let url = try #require(URL(string: address))
            return try #require(Program.folder(for: url)).path
        }

        #expect(Set(folders).count == addresses.count)
        #expect(URL(string: "http://LOCALHOST:8080").flatMap(Program.folder)?.path == folders[0])
        #expect(URL(string: "localhost").flatMap(Program.folder) == nil)
    }
}
