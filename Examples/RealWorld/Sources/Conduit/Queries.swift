import Relux
import ReluxQueries

extension Relux.SagaContext {
    nonisolated(nonsending) var token: String? {
        get async throws { try await state(of: Session.self).user?.token.text.value }
    }
}

/// Articles by slug. A heart has the same state in every list and on every page.
package struct Articles: Relux.Query {
    package struct Mutation: Relux.Mutation, Hashable {
        package let isFavorite: Bool

        package init(isFavorite: Bool) { self.isFavorite = isFavorite }

        package func apply(to article: inout Article) {
            guard article.favorited != isFavorite else { return }
            article.favorited = isFavorite
            // A server may send any number.
            let (count, overflow) = article.favoritesCount.addingReportingOverflow(isFavorite ? 1 : -1)
            if !overflow { article.favoritesCount = count }
        }
    }

    let api: API
    package var staleAfter: Duration { .seconds(30) }
    package static var mutationOrder: Relux.MutationOrder { .newest }
    package static var provides: [any Relux.Query.Type] { [Profiles.self] }

    package func fetch(_ slug: String, in request: Relux.QueryRequest) async throws -> Article {
        let article = try await api.article(slug, request.context.token)
        request.provide(Profiles.self, [(article.author.username, article.author)])
        return article
    }

    /// Lists have no bodies.
    package static func merge(_ provided: Article, into present: Article) -> Article {
        var article = provided
        article.body = article.body ?? present.body
        return article
    }

    package func send(_ mutation: Mutation, to slug: String, in context: Relux.SagaContext) async throws -> Article? {
        try await api.favorite(slug, mutation.isFavorite, context.token)
    }

    package func actions(confirming mutation: Mutation, of slug: String) -> [any Relux.Action] {
        [Relux.Invalidate(Feed.self) { key in if case .favorites = key { true } else { false } }]
    }

    package func actions(
        rejecting mutation: Mutation, of slug: String, because failure: APIError
    ) -> [any Relux.Action]? { [Notice.Action.show(failure)] }

    package func failure(for error: any Error) -> APIError { APIError(error) }
}

/// Profiles by name. Whether somebody is followed is the same on every page.
package struct Profiles: Relux.Query {
    package struct Mutation: Relux.Mutation, Hashable {
        package let follows: Bool

        package init(follows: Bool) { self.follows = follows }

        package func apply(to profile: inout Profile) { profile.following = follows }
    }

    let api: API
    package var staleAfter: Duration { .seconds(30) }
    package static var mutationOrder: Relux.MutationOrder { .newest }

    package func fetch(_ name: String, in request: Relux.QueryRequest) async throws -> Profile {
        try await api.profile(name, request.context.token)
    }

    package func send(_ mutation: Mutation, to name: String, in context: Relux.SagaContext) async throws -> Profile? {
        try await api.follow(name, mutation.follows, context.token)
    }

    package func actions(confirming mutation: Mutation, of name: String) -> [any Relux.Action] {
        [Relux.Invalidate(Feed.self, .own)]
    }

    package func actions(
        rejecting mutation: Mutation, of name: String, because failure: APIError
    ) -> [any Relux.Action]? { [Notice.Action.show(failure)] }

    package func failure(for error: any Error) -> APIError { APIError(error) }
}

/// Lists of articles, page by page. Their rows are articles.
package struct Feed: Relux.PagedQuery {
    package struct Row: Identifiable, Hashable, Sendable, Codable { package let id: String }

    let api: API
    var pageSize = 10
    package static var provides: [any Relux.Query.Type] { [Articles.self, Profiles.self] }

    package func fetchPage(
        of key: FeedKey, at cursor: Int?, in request: Relux.QueryRequest
    ) async throws -> Relux.Pages<Row, Int> {
        let page = try await api.articles(key, from: cursor ?? 0, pageSize, request.context.token)
        request.provide(Articles.self, page.articles.map { ($0.slug, $0) })
        request.provide(Profiles.self, page.articles.map { ($0.author.username, $0.author) })
        return .init(page.articles.map { Row(id: $0.slug) }, next: page.next)
    }

    package func failure(for error: any Error) -> APIError { APIError(error) }
}

/// The comments of an article. One's own are shown at once.
package struct Comments: Relux.Query {
    package enum Mutation: Relux.Mutation, Hashable {
        case add(String, by: Profile)
        case remove(Int)

        package func apply(to comments: inout Relux.Entities<Comment>) {
            switch self {
            case .add(let text, let author):
                // The server doesn't know it yet.
                var id = -1
                while comments.contains(id: id) { id -= 1 }
                comments.upsert(Comment(id: id, body: text, author: author))
            case .remove(let id): comments.remove(id: id)
            }
        }
    }

    let api: API

    package func fetch(_ slug: String, in request: Relux.QueryRequest) async throws -> Relux.Entities<Comment> {
        .init(try await api.comments(slug, request.context.token), keeping: .last)
    }

    /// The server numbers comments, so they are asked for again.
    package func send(
        _ mutation: Mutation, to slug: String, in context: Relux.SagaContext
    ) async throws -> Relux.Entities<Comment>? {
        switch mutation {
        case .add(let text, _): try await api.comment(slug, text, context.token)
        case .remove(let id): try await api.removeComment(id, of: slug, context.token)
        }
        return nil
    }

    package func actions(
        rejecting mutation: Mutation, of slug: String, because failure: APIError
    ) -> [any Relux.Action]? { [Notice.Action.show(failure)] }

    package func failure(for error: any Error) -> APIError { APIError(error) }
}

package struct Tags: Relux.Query {
    package enum Key: Hashable, Sendable, Codable { case all }

    let api: API
    package var staleAfter: Duration { .seconds(600) }

    package func fetch(_ key: Key, in request: Relux.QueryRequest) async throws -> [String] { try await api.tags() }
    package func failure(for error: any Error) -> APIError { APIError(error) }
}

extension APIError {
    init(_ error: any Error) { self = error as? APIError ?? .unexpected(0) }
}
