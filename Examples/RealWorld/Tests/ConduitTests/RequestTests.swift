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
