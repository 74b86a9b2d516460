import Conduit
import Relux
import ReluxQueries

/// What the terminal shows: the page on top, as lines.
struct Screen: Equatable, Sendable {
    var lines: [String] = []
    /// The articles that can be opened by number.
    var slugs: [String] = []

    init(_ reader: borrowing Relux.StateReader) {
        let session = reader[Session.self] ?? Session()
        lines.append("conduit · \(session.user.map { "@\($0.username)" } ?? "not signed in")")
        show(session.failure)
        show(reader[Notice.self]?.text)
        lines.append("")
        let entry = reader[Pages.self]?.entries.last
        switch entry?.page {
        case nil: showFeed(reader[Home.self]?.feed ?? .global, reader)
        case .article(let slug): showArticle(slug, reader)
        case .profile(let name):
            let profile = reader.query(Profiles.self, name)
            lines.append(
                "@\(name)\(profile.value?.following == true ? " ✓ followed" : "")  \(profile.value?.bio ?? "")")
            show(profile.failure)
            showFeed(.author(name), reader)
        case .editor(let slug):
            lines.append("editing \(slug ?? "a new article"): title, text, tags, publish")
            let editor = entry.flatMap { reader.editor($0.id) }
            if editor?.isPublishing == true { lines.append("…") }
            show(editor?.failure)
        }
        // Most of it is from a server.
        lines = lines.map(\.visible)
    }

    private mutating func show(_ failure: APIError?) {
        if let failure { lines.append("! \(failure)") }
    }

    private mutating func showFeed(_ key: FeedKey, _ reader: borrowing Relux.StateReader) {
        let list = reader.query(Feed.self, key)
        lines.append("[\(key)]  tags: \(reader.query(Tags.self, .all).value?.joined(separator: " ") ?? "…")")
        for row in list.value?.elements ?? [] {
            guard let article = reader.query(Articles.self, row.id).value else { continue }
            let heart = article.favorited ? "♥" : "♡"
            slugs.append(row.id)
            lines.append(
                "\(slugs.count). \(article.title)  \(heart) \(article.favoritesCount)  @\(article.author.username)")
        }
        if list.isLoading || list.isFetchingMore { lines.append("…") }
        if list.value?.hasMore == true { lines.append("more") }
        show(list.failure ?? list.moreFailure)
    }

    private mutating func showArticle(_ slug: String, _ reader: borrowing Relux.StateReader) {
        let article = reader.query(Articles.self, slug)
        let comments = reader.query(Comments.self, slug)
        if article.isLoading { lines.append("…") }
        if let value = article.value {
            let author = value.author.username
            let follows = reader.query(Profiles.self, author).value?.following == true
            let heart = value.favorited ? "♥" : "♡"
            lines += [value.title, "@\(author)\(follows ? " ✓ followed" : "")  \(heart) \(value.favoritesCount)", ""]
            lines += [value.body ?? "…", ""]
        }
        show(article.failure)
        for comment in comments.value ?? [] { lines.append("  @\(comment.author.username): \(comment.body)") }
        if comments.isChanging { lines.append("  …") }
        show(comments.failure)
    }
}
