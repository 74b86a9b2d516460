import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxQueries
import ReluxTesting
import Testing

@testable import Conduit

@Suite("Conduit", .timeLimit(.minutes(10)))
struct ConduitTests {
    private static let ann = SignIn(email: "ann@example.com", password: "secret")

    @Test("over HTTP: sign in, read, like, follow, comment, write, change settings")
    func overHTTP() async throws {
        let listener = try HTTPListener(.inhabited())
        let address = try #require(URL(string: "http://127.0.0.1:\(listener.port)"))
        let store = try await Relux.Store { Application(HTTPTransport(address), storage: Relux.MemoryStorage()) }
        try await store.perform(Self.ann)
        #expect(try await store.state(of: Session.self).user?.username == "ann")

        let feed = try await store.perform(Relux.Fetch(Feed.self, .global, .anew))
        #expect(feed.elements.count == 3)
        let slug = try #require(feed.elements.first?.id)
        await store.dispatch(Pages.Action.push(.article(slug))).finished()
        #expect(await store.read { $0.query(Articles.self, slug).value?.body } == "Text 2")

        await store.dispatch(Relux.Mutate(Articles.self, .init(isFavorite: true), of: slug)).finished()
        await store.dispatch(Relux.Mutate(Profiles.self, .init(follows: true), of: "bob")).finished()
        let profile = try #require(try await store.state(of: Session.self).profile)
        await store.dispatch(Relux.Mutate(Comments.self, .add("Nice", by: profile), of: slug)).finished()
        #expect(await store.read { $0.query(Articles.self, slug).value?.favoritesCount } == 1)
        #expect(await store.read { $0.query(Comments.self, slug).value?.map(\.body) } == ["Nice"])
        #expect(try await store.perform(Relux.Fetch(Feed.self, .own)).elements.count == 3)

        await store.dispatch(Pages.Action.push(.editor(nil)))
        // A page with a saved draft is loaded first.
        try await store.idle()
        let editor = try #require(try await store.state(of: Pages.self).entries.last)
        let scope = store.scope(of: EditorPage.self, id: editor.id)
        var text = Draft.Text()
        (text.title, text.body, text.tagList) = ("New", "Words", ["new"])
        await scope.dispatch(EditorState.Action.typed(text))
        try await scope.perform(Publish())
        #expect(try await store.perform(Relux.Fetch(Feed.self, .global)).elements.count == 4)
        #expect(try await store.state(of: Pages.self).entries.count == 1)

        try await store.perform(ChangeSettings(.init(bio: "Reader")))
        #expect(try await store.state(of: Session.self).user?.bio == "Reader")
        try await store.perform(SignOut())
        #expect(try await store.state(of: Session.self).user == nil)
    }

    @Test("what is wrong with a sign-in is shown")
    func wrongPassword() async throws {
        let store = try await Relux.Store {
            Application(DirectTransport(.inhabited()), storage: Relux.MemoryStorage())
        }

        await store.dispatch(SignIn(email: "ann@example.com", password: "wrong")).finished()

        let session = try await store.state(of: Session.self)
        #expect(session.failure == .invalid(["email or password is invalid"]))
        #expect(!session.isSigningIn)
    }

    @Test("a heart has the same state in every list and on every page, in every order, and ends as the server says")
    func hearts() async {
        await Simulation.explore(seeds: 0..<60) { world in
            let server = ConduitServer.inhabited()
            let transport = DirectTransport(server, world: world)
            let store = try await world.store { Application(transport, storage: Relux.MemoryStorage()) }
            try await store.perform(Self.ann)
            let feed = try await store.perform(Relux.Fetch(Feed.self, .global, .anew))
            let slug = try #require(feed.elements.first?.id)
            await store.dispatch(Pages.Action.push(.article(slug)))
            await store.dispatch(Pages.Action.push(.profile("bob")))
            for isFavorite in [true, false, true] {
                await store.dispatch(Relux.Mutate(Articles.self, .init(isFavorite: isFavorite), of: slug))
                #expect(await store.read { $0.query(Articles.self, slug).value?.favorited } == isFavorite)
                if world.fails(0.3) { await store.dispatch(Relux.Invalidate(Feed.self)) }
                try await world.latency(.zero ... .seconds(3))
                #expect(await store.read { $0.query(Articles.self, slug).value?.favorited } == isFavorite)
            }
            await world.settled()

            let article = await store.read { $0.query(Articles.self, slug) }
            #expect(article.value?.favorited == true && article.value?.favoritesCount == 1)
            #expect(!article.isChanging)
        }
    }

    @Test("a 401 of any request ends the session once, and nothing of it stays, in every order")
    func expiration() async {
        await Simulation.explore(seeds: 0..<60) { world in
            let server = ConduitServer.inhabited()
            let store = try await world.store {
                Application(DirectTransport(server, world: world), storage: Relux.MemoryStorage())
            }
            try await store.perform(Self.ann)
            await store.dispatch(Home.Action.select(.own))
            await store.dispatch(Pages.Action.push(.profile("bob")))
            try await world.latency(.zero ... .seconds(3))
            server.endSessions()
            await store.dispatch(Relux.Mutate(Profiles.self, .init(follows: true), of: "bob"))
            try await world.latency(.zero ... .seconds(1))
            await store.dispatch(Relux.Invalidate(Feed.self))
            try await world.latency(.seconds(10) ... .seconds(10))

            let session = try await store.state(of: Session.self)
            #expect(session.user == nil && session.failure == .unauthorized)
            #expect(try await store.state(of: Pages.self).entries.isEmpty)
            #expect(await store.read { $0.query(Feed.self, .own).value } == nil)

            try await store.perform(Self.ann)
            try await world.latency(.seconds(10) ... .seconds(10))
            #expect(try await store.state(of: Session.self).user?.username == "ann")
        }
    }

    @Test("scrolling and pulling at once leaves no gaps, and nothing loading, in every order")
    func scrolling() async {
        await Simulation.explore(seeds: 0..<40) { world in
            let store = try await world.store {
                Application(DirectTransport(.inhabited(articles: 25), world: world), storage: Relux.MemoryStorage())
            }
            world.always("newest first, no gaps") { reader in
                let rows = reader.query(Feed.self, .global).value?.elements ?? []
                let titles = rows.compactMap { reader.query(Articles.self, $0.id).value?.title }
                return titles == (0..<rows.count).map { "Article \(24 - $0)" }
            }
            for _ in 0..<6 {
                try await world.latency(.zero ... .seconds(2))
                if world.fails(0.3) {
                    await store.dispatch(Relux.Fetch(Feed.self, .global, .anew))
                } else {
                    await store.dispatch(Relux.FetchMore(Feed.self, .global))
                }
            }
            await world.settled()

            let list = await store.read { $0.query(Feed.self, .global) }
            #expect(!list.isFetching && !list.isFetchingMore)
        }
    }

    @Test("a draft survives a kill, and a published one is gone")
    func draft() async {
        await Simulation.explore(seeds: 0..<40) { world in
            let server = ConduitServer.inhabited()
            let storage = world.storage()
            var store = try await world.store { Application(DirectTransport(server), storage: storage) }
            try await store.perform(Self.ann)
            await store.dispatch(Pages.Action.push(.editor(nil))).finished()
            try await store.idle()
            var entry = try #require(try await store.state(of: Pages.self).entries.last)
            var text = Draft.Text()
            text.title = "Half"
            await store.scope(of: EditorPage.self, id: entry.id).dispatch(EditorState.Action.typed(text))
            try await store.saved()
            await world.crash(store)

            store = try await world.store { Application(DirectTransport(server), storage: storage) }
            #expect(try await store.state(of: Session.self).user?.username == "ann")
            await store.dispatch(Pages.Action.push(.editor(nil))).finished()
            try await store.idle()
            entry = try #require(try await store.state(of: Pages.self).entries.last)
            let scope = store.scope(of: EditorPage.self, id: entry.id)
            #expect(try await scope.state(of: EditorState.self).draft.text == text)
            try await scope.perform(Publish())
            try await store.saved()

            await store.dispatch(Pages.Action.push(.editor(nil))).finished()
            try await store.idle()
            entry = try #require(try await store.state(of: Pages.self).entries.last)
            let next = store.scope(of: EditorPage.self, id: entry.id)
            #expect(try await next.state(of: EditorState.self).draft.text == Draft.Text())
        }
    }

    @Test("offline, what was read before is shown, also after a restart, and back online it is refreshed")
    func offline() async throws {
        let server = ConduitServer.inhabited()
        let transport = DirectTransport(server)
        let storage = Relux.MemoryStorage()
        var store: Relux.Store? = try await Relux.Store { Application(transport, storage: storage) }
        try await store?.perform(Relux.Fetch(Feed.self, .global, .anew))
        await store?.shutdown()
        transport.isOffline = true

        store = try await Relux.Store { Application(transport, storage: storage) }
        let offline = try #require(store)
        await #expect(throws: APIError.offline) { try await offline.call(Relux.Fetch(Feed.self, .global, .anew)) }
        let list = await offline.read { $0.query(Feed.self, .global) }
        #expect(list.value?.elements.count == 3 && list.failure == .offline)
        #expect(await offline.read { $0.query(Articles.self, "article-2-6").value?.title } != nil)

        transport.isOffline = false
        await offline.dispatch(Returned()).finished()
        #expect(await offline.read { $0.query(Feed.self, .global).failure } == nil)
    }

    @Test("a page is one line for each thing that it asks for")
    func steps() async throws {
        let store = try await TestStore(exhaustivity: .off) {
            Application(DirectTransport(.inhabited(articles: 1)), storage: Relux.MemoryStorage())
        }
        await store.dispatch(Pages.Action.push(.article("article-0-4")))
        await store.receivePrefetch(Articles.self, "article-0-4")
        await store.receivePrefetch(Comments.self, "article-0-4")
        await store.receiveFetched(Comments.self, "article-0-4", [])
        await store.skipReceived()
        await store.skipRuns()
        await store.finish()
    }
}
