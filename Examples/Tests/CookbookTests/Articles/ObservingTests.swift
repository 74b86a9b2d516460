import Relux
import Testing

@testable import Cookbook

/// The code of the article "Observing".
@Suite("Observing", .timeLimit(.minutes(1)))
struct ObservingTests {
    private struct Server: UploadService {
        func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String { file }
    }

    private struct Summary: Equatable, Sendable {
        let articles: Int
        let uploads: Int
    }

    @Test("a selection is the latest value, and skips what came in between")
    func selection() async throws {
        let store = try await Relux.Store { Basket.Module() }

        var counts = store.values(of: Basket.State.self, { $0.articles.count }).makeAsyncIterator()
        #expect(await counts.next() == 0)

        await store.dispatch {
            Basket.State.Action.added("tea")
            Basket.State.Action.added("milk")
        }
        #expect(await counts.next() == 2)
    }

    @Test("a selection from several states is made at one point of the order")
    func severalStates() async throws {
        let store = try await Relux.Store {
            Basket.Module()
            Uploads.Module(service: Server())
        }

        let summaries = store.values { states in
            Summary(
                articles: states[Basket.State.self]?.articles.count ?? 0,
                uploads: states[Uploads.State.self]?.progress.count ?? 0
            )
        }
        await store.dispatch {
            Basket.State.Action.added("tea")
            Uploads.State.Action.progressed("a", 0.5)
        }

        var iterator = summaries.makeAsyncIterator()
        #expect(await iterator.next() == Summary(articles: 1, uploads: 1))
    }

    @Test("a stream of actions has each of them, in order")
    func actions() async throws {
        let store = try await Relux.Store { Basket.Module() }

        let added = store.actionStream(of: Basket.State.Action.self)
        store.send(Basket.State.Action.added("tea"))
        store.send(Basket.State.Action.added("milk"))

        var iterator = added.makeAsyncIterator()
        #expect(await iterator.next() == .added("tea"))
        #expect(await iterator.next() == .added("milk"))
    }

    @Test("a wait ends when the condition holds")
    func waiting() async throws {
        let store = try await Relux.Store { Basket.Module() }

        store.send(Basket.State.Action.added("tea"))

        let full = try await store.wait(until: Basket.State.self) { !$0.articles.isEmpty }

        #expect(full.articles == ["tea"])
    }

    @Test("an error that no caller receives is a failure of the store")
    func failures() async throws {
        let store = try await Relux.Store { Basket.Module() }

        let failures = store.failures
        await store.dispatch(Basket.Order())

        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next()?.error is Basket.SoldOut)
    }
}
