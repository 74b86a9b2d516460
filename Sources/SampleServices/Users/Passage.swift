/// The result of an arrival or departure.
public struct Passage: Sendable, Hashable {
    /// The user after the arrival or departure.
    public let user: User

    /// Whether the arrival or departure changed the user's presence.
    public let isNews: Bool

    /// Creates a passage.
    ///
    /// - Parameters:
    ///   - user: The user after the arrival or departure.
    ///   - isNews: Whether the arrival or departure changed the user's presence.
    public init(_ user: User, isNews: Bool) {
        self.user = user
        self.isNews = isNews
    }
}
