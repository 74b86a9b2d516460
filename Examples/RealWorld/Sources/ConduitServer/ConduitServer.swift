import Foundation
import Synchronization

/// A server in memory that speaks the published RealWorld specification.
package final class ConduitServer: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let body: Data
    }

    fileprivate struct User {
        var email: String
        var password: String
        var username: String
        var bio: String?
        var image: String?
        var follows: Set<String> = []
    }

    fileprivate struct Article {
        let slug: String
        var title: String
        var description: String
        var body: String
        var tags: [String]
        let author: String
        let number: Int
        var favoritedBy: Set<String> = []
        var comments: [(id: Int, body: String, author: String)] = []
    }

    fileprivate struct Contents {
        var users: [String: User] = [:]
        var tokens: [String: String] = [:]
        var articles: [String: Article] = [:]
        var count = 0
    }

    private let contents = Mutex(Contents())

    package init() {}

    /// Makes all sessions invalid, as an administrator or a deadline would.
    package func endSessions() { contents.withLock { $0.tokens = [:] } }

    /// Answers one request.
    ///
    /// - Parameter path: With its query, from `/api` on.
    package func answer(_ method: String, _ path: String, _ body: Data = Data(), token: String? = nil) -> Answer {
        contents.withLock { contents in
            do {
                let object = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
                let request = Request(method: method, path: path, object: object, token: token)
                let json = try contents.answer(request)
                let data = try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
                return Answer(status: method == "POST" && request.parts.count < 3 ? 201 : 200, body: data)
            } catch let error as Refusal {
                let errors = ["errors": ["body": [error.text]]]
                let data = try? JSONSerialization.data(withJSONObject: errors)
                return Answer(status: error.status, body: data ?? Data())
            } catch {
                return Answer(status: 500, body: Data())
            }
        }
    }

    fileprivate struct Refusal: Error {
        let status: Int
        let text: String
        static let unauthorized = Refusal(status: 401, text: "sign in first")
        static let missing = Refusal(status: 404, text: "not found")
        static func invalid(_ text: String) -> Refusal { Refusal(status: 422, text: text) }
    }

    fileprivate struct Request {
        let method: String
        let parts: [String]
        let query: [String: String]
        let object: [String: Any]
        let token: String?

        init(method: String, path: String, object: [String: Any], token: String?) {
            let components = URLComponents(string: path)
            self.method = method
            // A component may contain an escaped slash.
            parts = (components?.percentEncodedPath ?? path).split(separator: "/").dropFirst().map {
                $0.removingPercentEncoding ?? String($0)
            }
            let items = components?.queryItems?.map { ($0.name, $0.value ?? "") } ?? []
            query = Dictionary(items) { first, _ in first }
            self.object = object
            self.token = token
        }

        func fields(_ name: String) throws -> [String: Any] {
            guard let fields = object[name] as? [String: Any] else { throw Refusal.invalid("\(name) is missing") }
            return fields
        }

        /// A count of the query. A negative one is none.
        func number(_ name: String, _ otherwise: Int) -> Int {
            max(query[name].flatMap { Int($0) } ?? otherwise, 0)
        }
    }
}

extension ConduitServer.Contents {
    fileprivate mutating func answer(_ request: ConduitServer.Request) throws -> [String: Any] {
        let user = request.token.flatMap { tokens[$0] }
        switch (request.method, request.parts.first, request.parts.dropFirst().first, request.parts.dropFirst(2).first)
        {
        case ("POST", "users", "login", nil): return try logIn(request.fields("user"))
        case ("POST", "users", nil, nil): return try register(request.fields("user"))
        case ("GET", "user", nil, nil): return try ["user": json(of: signedIn(user), token: request.token)]
        case ("PUT", "user", nil, nil): return try update(signedIn(user), request)
        case ("GET", "profiles", let name?, nil): return try ["profile": profile(name, for: user)]
        case (let method, "profiles", let name?, "follow"):
            let user = try signedIn(user)
            _ = try profile(name, for: user)
            if method == "POST" { users[user]?.follows.insert(name) } else { users[user]?.follows.remove(name) }
            return try ["profile": profile(name, for: user)]
        case ("GET", "articles", nil, nil): return try list(request, for: user) { _ in true }
        case ("GET", "articles", "feed", nil):
            let follows = users[try signedIn(user)]?.follows ?? []
            return try list(request, for: user) { follows.contains($0.author) }
        case ("POST", "articles", nil, nil): return try publish(request.fields("article"), by: signedIn(user))
        case ("GET", "articles", let slug?, nil): return try ["article": json(of: article(slug), for: user)]
        case ("PUT", "articles", let slug?, nil):
            let fields = try request.fields("article")
            var article = try own(slug, of: signedIn(user))
            if let title = fields["title"] as? String { article.title = title }
            if let text = fields["description"] as? String { article.description = text }
            if let body = fields["body"] as? String { article.body = body }
            if let tags = fields["tagList"] as? [String] { article.tags = tags }
            articles[slug] = article
            return try ["article": json(of: article, for: user)]
        case ("DELETE", "articles", let slug?, nil):
            _ = try own(slug, of: signedIn(user))
            articles[slug] = nil
            return [:]
        case (let method, "articles", let slug?, "favorite"):
            let user = try signedIn(user)
            var article = try article(slug)
            if method == "POST" { article.favoritedBy.insert(user) } else { article.favoritedBy.remove(user) }
            articles[slug] = article
            return try ["article": json(of: article, for: user)]
        case ("GET", "articles", let slug?, "comments"):
            return try ["comments": article(slug).comments.map { try json(of: $0, for: user) }]
        case ("POST", "articles", let slug?, "comments"):
            let user = try signedIn(user)
            guard let body = try request.fields("comment")["body"] as? String, !body.isEmpty else {
                throw ConduitServer.Refusal.invalid("a comment can't be empty")
            }
            _ = try article(slug)
            count += 1
            articles[slug]?.comments.append((count, body, user))
            return try ["comment": json(of: (count, body, user), for: user)]
        case ("DELETE", "articles", let slug?, "comments"):
            let user = try signedIn(user)
            _ = try article(slug)
            let id = request.parts.last.flatMap { Int($0) }
            articles[slug]?.comments.removeAll { $0.id == id && $0.author == user }
            return [:]
        case ("GET", "tags", nil, nil): return ["tags": Set(articles.values.flatMap(\.tags)).sorted()]
        default: throw ConduitServer.Refusal.missing
        }
    }

    private func signedIn(_ user: String?) throws -> String {
        guard let user else { throw ConduitServer.Refusal.unauthorized }
        return user
    }

    private func article(_ slug: String) throws -> ConduitServer.Article {
        guard let article = articles[slug] else { throw ConduitServer.Refusal.missing }
        return article
    }

    private func own(_ slug: String, of user: String) throws -> ConduitServer.Article {
        let article = try article(slug)
        guard article.author == user else { throw ConduitServer.Refusal(status: 403, text: "not yours") }
        return article
    }

    private mutating func newToken(for user: String) -> String {
        count += 1
        tokens["token-\(count)"] = user
        return "token-\(count)"
    }

    private mutating func logIn(_ fields: [String: Any]) throws -> [String: Any] {
        let found = users.values.first { $0.email == fields["email"] as? String }
        guard let found, found.password == fields["password"] as? String else {
            throw ConduitServer.Refusal.invalid("email or password is invalid")
        }
        return try ["user": json(of: found.username, token: newToken(for: found.username))]
    }

    private mutating func register(_ fields: [String: Any]) throws -> [String: Any] {
        guard let name = fields["username"] as? String, let email = fields["email"] as? String,
            let password = fields["password"] as? String, !name.isEmpty, !password.isEmpty
        else { throw ConduitServer.Refusal.invalid("a name, an email and a password are needed") }
        guard users[name] == nil else { throw ConduitServer.Refusal.invalid("username has already been taken") }
        users[name] = .init(email: email, password: password, username: name)
        return try ["user": json(of: name, token: newToken(for: name))]
    }

    private mutating func update(_ name: String, _ request: ConduitServer.Request) throws -> [String: Any] {
        let fields = try request.fields("user")
        if let bio = fields["bio"] as? String { users[name]?.bio = bio }
        if let image = fields["image"] as? String { users[name]?.image = image }
        if let email = fields["email"] as? String { users[name]?.email = email }
        return try ["user": json(of: name, token: request.token)]
    }

    private mutating func publish(_ fields: [String: Any], by user: String) throws -> [String: Any] {
        guard let title = fields["title"] as? String, !title.isEmpty else {
            throw ConduitServer.Refusal.invalid("a title can't be empty")
        }
        count += 1
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        let article = ConduitServer.Article(
            slug: words.joined(separator: "-") + "-\(count)", title: title,
            description: fields["description"] as? String ?? "", body: fields["body"] as? String ?? "",
            tags: fields["tagList"] as? [String] ?? [], author: user, number: count)
        articles[article.slug] = article
        return try ["article": json(of: article, for: user)]
    }

    private func list(
        _ request: ConduitServer.Request, for user: String?, _ isMeant: (ConduitServer.Article) -> Bool
    ) throws -> [String: Any] {
        let found = articles.values.filter { article in
            isMeant(article)
                && (request.query["tag"].map { article.tags.contains($0) } ?? true)
                && (request.query["author"].map { article.author == $0 } ?? true)
                && (request.query["favorited"].map { article.favoritedBy.contains($0) } ?? true)
        }.sorted { $0.number > $1.number }
        let page = found.dropFirst(request.number("offset", 0)).prefix(request.number("limit", 20))
        var rows = try page.map { try json(of: $0, for: user) }
        for index in rows.indices { rows[index]["body"] = nil }
        return ["articles": rows, "articlesCount": found.count]
    }

    private func json(of user: String, token: String?) throws -> [String: Any] {
        guard let user = users[user] else { throw ConduitServer.Refusal.missing }
        return [
            "email": user.email, "username": user.username, "token": token ?? "", "bio": user.bio ?? NSNull(),
            "image": user.image ?? NSNull(),
        ]
    }

    private func profile(_ name: String, for user: String?) throws -> [String: Any] {
        guard let found = users[name] else { throw ConduitServer.Refusal.missing }
        return [
            "username": name, "bio": found.bio ?? NSNull(), "image": found.image ?? NSNull(),
            "following": user.flatMap { users[$0]?.follows.contains(name) } ?? false,
        ]
    }

    private func json(of article: ConduitServer.Article, for user: String?) throws -> [String: Any] {
        let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(article.number)).formatted(.iso8601)
        return try [
            "slug": article.slug, "title": article.title, "description": article.description, "body": article.body,
            "tagList": article.tags, "createdAt": date, "updatedAt": date,
            "favorited": user.map { article.favoritedBy.contains($0) } ?? false,
            "favoritesCount": article.favoritedBy.count, "author": profile(article.author, for: user),
        ]
    }

    private func json(
        of comment: (id: Int, body: String, author: String), for user: String?
    ) throws -> [String: Any] {
        try ["id": comment.id, "body": comment.body, "author": profile(comment.author, for: user)]
    }
}
