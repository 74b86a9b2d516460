import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxQueries
import ReluxTesting
import Testing

@testable import Conduit

/// Never answers, and fails as `URLSession` does when its caller is cancelled.
private struct HangingTransport: Transport {
    func send(
        _ method: String, _ path: String, _ body: Data, token: String?
    ) async throws -> (status: Int, body: Data) {
        do {
            try await Task.sleep(for: .seconds(600))
        } catch {
            throw URLError(.cancelled)
        }
        return (200, Data())
    }
}

@Suite("Requests", .timeLimit(.minutes(10)))
struct RequestTests {
    private static let profile = Profile(username: "bob", bio: nil, image: nil, following: false)

    @Test("a name or a tag reaches the server as it is, whatever its characters")
    func addresses() async throws {
        let transport = DirectTransport(.inhabited())
        let api = API(transport)

        _ = try? await api.profile("a/../b?c#d e%", nil)
        _ = try? await api.articles(.tag("c++ & more=1"), from: 0, 1, nil)

        #expect(
            transport.requests == [
                "GET /api/profiles/a%2F..%2Fb%3Fc%23d%20e%25",
                "GET /api/articles?limit=1&offset=0&tag=c%2B%2B%20%26%20more%3D1",
            ])
    }

    @Test("no address has a component that refers to another one", arguments: ["", ".", ".."])
    func traversal(_ name: String) async throws {
        let transport = DirectTransport(.inhabited())

        await #expect(throws: APIError.missing) { _ = try await API(transport).profile(name, nil) }
        #expect(transport.requests.isEmpty)
    }

    @Test("articles are found by any tag, and users by any name")
    func roundTrip() async throws {
        let server = ConduitServer()
        let fields = ["username": "a/b", "email": "a@example.com", "password": "secret"]
        let token = server.post("/api/users", ["user": fields]).token
        server.post("/api/articles", ["article": ["title": "Plus", "tagList": ["c++"]]], token: token)
        let api = API(DirectTransport(server))

        #expect(try await api.profile("a/b", nil).username == "a/b")
        #expect(try await api.articles(.tag("c++"), from: 0, 10, nil).articles.map(\.title) == ["Plus"])
    }

    @Test("a cancelled request is cancelled, not offline")
    func cancelled() async {
        let request = Task { try await API(HangingTransport()).tags() }

        request.cancel()

        await #expect(throws: CancellationError.self) { try await request.value }
    }

    @Test("a cancelled sign-in, and one that is dropped, leave nobody signing in")
    func signingIn() async throws {
        let store = try await Relux.Store { Application(HangingTransport(), storage: Relux.MemoryStorage()) }
        let signIn = SignIn(email: "ann@example.com", password: "secret")

        let first = await store.dispatch(signIn)
        #expect(try await store.state(of: Session.self).isSigningIn)
        await store.dispatch(SignIn(email: "bob@example.com", password: "secret"))
        #expect(try await store.state(of: Session.self).isSigningIn)
        first.cancel()
        _ = try? await store.idle(within: .seconds(5))

        #expect(try await !store.state(of: Session.self).isSigningIn)
    }

    @Test("news of the user doesn't end a sign-in")
    func updated() {
        var session = Session()
        session.isSigningIn = true

        session.reduce(.updated(User(email: "", username: "ann", token: Token("1"), bio: nil, image: nil)))

        #expect(session.isSigningIn)
    }

    @Test("no password and no token is printed")
    func secrets() async throws {
        let store = try await Relux.Store {
            Application(DirectTransport(.inhabited()), storage: Relux.MemoryStorage())
        }
        let signIn = SignIn(email: "ann@example.com", password: "secret")
        try await store.perform(signIn)
        let session = try await store.state(of: Session.self)
        let user = try #require(session.user)

        var texts = ""
        dump(signIn, to: &texts)
        dump(session, to: &texts)
        texts += "\(signIn) \(session) \(Session.Action.signedIn(user))"

        #expect(!texts.contains("secret"))
        #expect(!texts.contains("token-"))
    }

    @Test("a count that can't be higher or lower stays as it is", arguments: [(true, Int.max), (false, Int.min)])
    func extremeCount(_ isFavorite: Bool, _ count: Int) {
        var article = Article(
            slug: "a", title: "", description: "", body: nil, tagList: [], favorited: !isFavorite,
            favoritesCount: count, author: Self.profile)

        Articles.Mutation(isFavorite: isFavorite).apply(to: &article)

        #expect(article.favorited == isFavorite && article.favoritesCount == count)
    }

    @Test("a comment that the server doesn't know yet has an id of its own", arguments: [Int.min, -1, 0, Int.max])
    func extremeID(_ id: Int) {
        var comments = Relux.Entities([Comment(id: id, body: "Old", author: Self.profile)], keeping: .last)

        Comments.Mutation.add("New", by: Self.profile).apply(to: &comments)
        Comments.Mutation.add("Newer", by: Self.profile).apply(to: &comments)

        #expect(comments.map(\.body) == ["Old", "New", "Newer"])
    }
}
