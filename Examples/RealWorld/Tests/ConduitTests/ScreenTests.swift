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
