import Relux

/// A token, which prints `<private>`.
package struct Token: Hashable, Sendable, Codable {
    let text: Relux.Redacted<String>

    package init(_ text: String) { self.text = .init(text) }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text.value)
    }
}

package struct User: Codable, Hashable, Sendable {
    package var email: String
    package var username: String
    package var token: Token
    package var bio: String?
    package var image: String?
}

package struct Profile: Codable, Hashable, Sendable {
    package let username: String
    package var bio: String?
    package var image: String?
    package var following: Bool
}

package struct Article: Codable, Hashable, Sendable, Identifiable {
    package let slug: String
    package var title: String
    package var description: String
    /// Missing in lists.
    package var body: String?
    package var tagList: [String]
    package var favorited: Bool
    package var favoritesCount: Int
    package let author: Profile

    package var id: String { slug }
}

package struct Comment: Codable, Hashable, Sendable, Identifiable {
    package let id: Int
    package var body: String
    package let author: Profile
}

/// The lists of articles.
package enum FeedKey: Hashable, Sendable, Codable {
    case global, own
    case tag(String)
    case author(String)
    case favorites(of: String)
}
