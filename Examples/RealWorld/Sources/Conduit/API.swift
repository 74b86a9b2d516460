import Foundation
import Synchronization

/// How requests reach the server. Throws if it can't be reached.
package protocol Transport: Sendable {
    func send(_ method: String, _ path: String, _ body: Data, token: String?) async throws -> (status: Int, body: Data)
}

package enum APIError: Error, Hashable, Sendable, Codable {
    case offline
    case unauthorized
    case missing
    /// The server says what is wrong.
    case invalid([String])
    case unexpected(Int)
}

/// The tokens that the server has refused.
final class RefusedTokens: Sendable {
    private let contents = Mutex<(continuation: AsyncStream<String>.Continuation?, last: String?)>((nil, nil))

    func add(_ token: String) {
        contents.withLock { contents in
            contents.last = token
            contents.continuation?.yield(token)
        }
    }

    /// A new stream, which begins with the last token. A stream whose reader was cancelled can't be read again, and a
    /// reset cancels watchers.
    func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        contents.withLock { contents in
            if let last = contents.last { continuation.yield(last) }
            contents.continuation = continuation
        }
        return stream
    }
}

/// The published RealWorld interface.
package struct API: Sendable {
    let transport: any Transport
    let refusedTokens = RefusedTokens()

    package init(_ transport: any Transport) { self.transport = transport }

    private struct Errors: Decodable { let errors: [String: [String]] }
    private struct Nothing: Codable {}

    private func call<Answer: Decodable>(
        _ method: String, _ path: [String], _ token: String?, query: [String: String] = [:],
        sending body: (any Encodable & Sendable)? = nil, as answer: Answer.Type
    ) async throws -> Answer {
        // A component that is one of these would refer to something else.
        if path.contains(where: ["", ".", ".."].contains) { throw APIError.missing }
        var address = "/api/" + path.map(Self.escaped).joined(separator: "/")
        let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
        if !items.isEmpty { address += "?" + items.joined(separator: "&") }
        let data = try body.map { try JSONEncoder().encode($0) } ?? Data()
        let (status, received): (Int, Data)
        do {
            (status, received) = try await transport.send(method, address, data, token: token)
        } catch {
            // A cancelled request fails with an error of the transport.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw APIError.offline
        }
        switch status {
        case 200..<300:
            guard let answer = try? JSONDecoder().decode(answer, from: received) else {
                // Not what the specification says.
                throw APIError.unexpected(status)
            }
            return answer
        case 401:
            if let token { refusedTokens.add(token) }
            throw APIError.unauthorized
        case 404: throw APIError.missing
        case 422:
            let errors = try? JSONDecoder().decode(Errors.self, from: received).errors
            throw APIError.invalid(errors?.values.flatMap { $0 } ?? [])
        default: throw APIError.unexpected(status)
        }
    }

    /// The text with everything escaped but the unreserved characters of RFC 3986, section 2.3.
    private static func escaped(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

extension API {
    private struct UserBody<Fields: Codable & Sendable>: Codable, Sendable { let user: Fields }
    private struct ProfileBody: Codable { let profile: Profile }
    private struct ArticleBody<Fields: Codable & Sendable>: Codable, Sendable { let article: Fields }
    private struct ArticlesBody: Codable {
        let articles: [Article]
        let articlesCount: Int
    }
    private struct CommentBody<Fields: Codable & Sendable>: Codable, Sendable { let comment: Fields }
    private struct CommentsBody: Codable { let comments: [Comment] }
    private struct TagsBody: Codable { let tags: [String] }
    struct Credentials: Codable, Hashable, Sendable {
        var username: String?
        let email: String
        let password: String
    }
    struct Text: Codable, Hashable, Sendable { let body: String }

    func signIn(_ credentials: Credentials) async throws -> User {
        let path = credentials.username == nil ? ["users", "login"] : ["users"]
        return try await call("POST", path, nil, sending: UserBody(user: credentials), as: UserBody<User>.self).user
    }

    func update(_ settings: SettingsForm, _ token: String?) async throws -> User {
        try await call("PUT", ["user"], token, sending: UserBody(user: settings), as: UserBody<User>.self).user
    }

    func profile(_ name: String, _ token: String?) async throws -> Profile {
        try await call("GET", ["profiles", name], token, as: ProfileBody.self).profile
    }

    func follow(_ name: String, _ follows: Bool, _ token: String?) async throws -> Profile {
        try await call(follows ? "POST" : "DELETE", ["profiles", name, "follow"], token, as: ProfileBody.self).profile
    }

    func articles(_ key: FeedKey, from offset: Int, _ limit: Int, _ token: String?) async throws -> (
        articles: [Article], next: Int?
    ) {
        var query = ["limit": "\(limit)", "offset": "\(offset)"]
        switch key {
        case .global, .own: break
        case .tag(let tag): query["tag"] = tag
        case .author(let name): query["author"] = name
        case .favorites(let name): query["favorited"] = name
        }
        let path = key == .own ? ["articles", "feed"] : ["articles"]
        let page = try await call("GET", path, token, query: query, as: ArticlesBody.self)
        let next = offset + page.articles.count
        return (page.articles, next < page.articlesCount && !page.articles.isEmpty ? next : nil)
    }

    func article(_ slug: String, _ token: String?) async throws -> Article {
        try await call("GET", ["articles", slug], token, as: ArticleBody<Article>.self).article
    }

    func publish(_ draft: Draft, _ token: String?) async throws -> Article {
        let path = draft.slug.map { ["articles", $0] } ?? ["articles"]
        let body = ArticleBody(article: draft.text)
        return try await call(
            draft.slug == nil ? "POST" : "PUT", path, token, sending: body, as: ArticleBody<Article>.self
        ).article
    }

    func favorite(_ slug: String, _ isFavorite: Bool, _ token: String?) async throws -> Article {
        try await call(
            isFavorite ? "POST" : "DELETE", ["articles", slug, "favorite"], token, as: ArticleBody<Article>.self
        ).article
    }

    func comments(_ slug: String, _ token: String?) async throws -> [Comment] {
        try await call("GET", ["articles", slug, "comments"], token, as: CommentsBody.self).comments
    }

    func comment(_ slug: String, _ text: String, _ token: String?) async throws {
        let body = CommentBody(comment: Text(body: text))
        _ = try await call("POST", ["articles", slug, "comments"], token, sending: body, as: CommentBody<Comment>.self)
    }

    func removeComment(_ id: Int, of slug: String, _ token: String?) async throws {
        _ = try await call("DELETE", ["articles", slug, "comments", "\(id)"], token, as: Nothing.self)
    }

    func tags() async throws -> [String] { try await call("GET", ["tags"], nil, as: TagsBody.self).tags }
}
