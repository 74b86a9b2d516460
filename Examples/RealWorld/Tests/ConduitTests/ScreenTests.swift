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

    @Test("an article that is opened and edited keeps its text")
    func editing() async throws {
        let store = try await makeStore(DirectTransport(.inhabited(articles: 1)))

        try await execute("login bob@example.com secret", "reload", in: store)
        try await execute("open 1", "edit", "title Changed", "publish", in: store)

        let article = try await store.call(Relux.Fetch(Articles.self, "article-0-4", .anew))
        #expect(article.title == "Changed" && article.body == "Text 0")
    }
}
