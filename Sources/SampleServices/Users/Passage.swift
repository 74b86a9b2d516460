/// What became of a coming or going.
public struct Passage: Sendable, Hashable {
    /// The user, as it is now.
    public let user: User

    /// Whether the user wasn't there before, or was.
    public let isNews: Bool

    /// Makes a passage.
    ///
    /// - Parameters:
    ///   - user: The user, as it is now.
    ///   - isNews: Whether the user wasn't there before, or was.
    public init(_ user: User, isNews: Bool) {
        self.user = user
        self.isNews = isNews
    }
}
