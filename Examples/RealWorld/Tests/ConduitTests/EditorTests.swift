import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxQueries
import ReluxTesting
import Testing

@testable import Conduit

@Suite("Editor", .timeLimit(.minutes(10)))
struct EditorTests {
    private static let ann = SignIn(email: "ann@example.com", password: "secret")
    private static let bob = SignIn(email: "bob@example.com", password: "secret")
    private static let slug = "article-0-4"

    @Test("a change to the title of an article changes nothing else")
    func title() async throws {
        let server = ConduitServer.inhabited(articles: 1)
        let store = try await Relux.Store { Application(DirectTransport(server), storage: Relux.MemoryStorage()) }
        try await store.perform(Self.bob)
        _ = try await store.call(Relux.Fetch(Articles.self, Self.slug))

        await store.dispatch(Pages.Action.push(.editor(Self.slug)))
        let editor = try await store.editor()
        try await editor.type { $0.title = "Changed" }
        try await editor.perform(Publish())

        let article = try await store.call(Relux.Fetch(Articles.self, Self.slug, .anew))
        #expect(article.title == "Changed")
        #expect(article.description == "About 0")
        #expect(article.body == "Text 0")
        #expect(article.tagList == ["even"])
    }

    @Test("an article that has been published is edited as it is, not from a former draft")
    func again() async throws {
        let server = ConduitServer.inhabited(articles: 1)
        let store = try await Relux.Store { Application(DirectTransport(server), storage: Relux.MemoryStorage()) }
        try await store.perform(Self.bob)
        _ = try await store.call(Relux.Fetch(Articles.self, Self.slug))

        for title in ["First", "Second"] {
            await store.dispatch(Pages.Action.push(.editor(Self.slug)))
            let editor = try await store.editor()
            #expect(try await editor.state(of: EditorState.self).draft.text.body == "Text 0")
            try await editor.type { $0.title = title }
            try await editor.perform(Publish())
        }
    }

    @Test("an article of which only a list is known is asked for before it is edited")
    func unread() async throws {
        let server = ConduitServer.inhabited(articles: 1)
        let store = try await Relux.Store { Application(DirectTransport(server), storage: Relux.MemoryStorage()) }
        try await store.perform(Self.bob)
        _ = try await store.call(Relux.Fetch(Feed.self, .global, .anew))
        #expect(await store.read { $0.query(Articles.self, Self.slug).value?.body } == nil)

        try await store.perform(Edit(Self.slug))

        #expect(try await store.editor().state(of: EditorState.self).draft.text.body == "Text 0")
    }

    @Test("a draft survives the end of a session, and only its author sees it, in every order")
    func users() async {
        await Simulation.explore(seeds: 0..<40) { world in
            let server = ConduitServer.inhabited()
            let transport = DirectTransport(server, world: world)
            let store = try await world.store { Application(transport, storage: world.storage()) }
            try await store.perform(Self.ann)
            await store.dispatch(Pages.Action.push(.editor(nil)))
            try await store.editor().type { $0.title = "Half" }

            let way = world.random(in: 0...2)
            switch way {
            case 0:
                if world.fails(0.5) { await store.dispatch(Pages.Action.pop) }
                await store.dispatch(SignOut())
            case 1:
                server.endSessions()
                await store.dispatch(Relux.Mutate(Profiles.self, .init(follows: true), of: "bob"))
            default:
                // Over the session.
                try await store.perform(Self.bob)
            }
            try await world.latency(.seconds(10) ... .seconds(10))
            #expect(try await store.state(of: Session.self).user?.username == (way == 2 ? "bob" : nil))

            for (user, title) in [(Self.bob, ""), (Self.ann, "Half")] {
                try await store.perform(user)
                await store.dispatch(Pages.Action.push(.editor(nil)))
                #expect(try await store.editor().state(of: EditorState.self).draft.text.title == title)
                await store.dispatch(Pages.Action.pop)
            }
        }
    }

    @Test("text typed while the draft is being published is kept", arguments: [nil, "article-0-4"])
    func typing(_ slug: String?) {
        var (sent, next) = (Draft.Text(), Draft.Text())
        (sent.title, next.title) = ("Sent", "Next")
        var state = EditorState(draft: Draft(slug: slug, text: sent))

        state.reduce(.began)
        state.reduce(.typed(next))
        state.reduce(.published(sent))

        #expect(state.draft.text == next && !state.isPublishing)
        #expect(state.original == (slug == nil ? Draft.Text() : sent))
    }

    @Test("when the editor of a published draft is gone, the draft is no longer saved, even after a kill")
    func kill() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let server = ConduitServer.inhabited()
            let storage = world.storage()
            var store = try await world.store { Application(DirectTransport(server), storage: storage) }
            try await store.perform(Self.ann)
            await store.dispatch(Pages.Action.push(.editor(nil)))
            let editor = try await store.editor()
            try await editor.type { $0.title = "Sent" }
            try await store.saved()
            try await editor.perform(Publish())
            #expect(try await store.state(of: Pages.self).entries.isEmpty)
            await world.crash(store)

            store = try await world.store { Application(DirectTransport(server), storage: storage) }
            await store.dispatch(Pages.Action.push(.editor(nil)))
            #expect(try await store.editor().state(of: EditorState.self).draft.text == Draft.Text())
        }
    }
}
