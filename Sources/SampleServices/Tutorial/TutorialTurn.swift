/// The right to give the tutorial, which one process has at a time.
///
/// - Lifetime: The turn ends with its last reference. Where ``end(remembering:)`` wasn't called by then, what is
///   remembered stays as it was, and somebody else tries again.
public final class TutorialTurn: Sendable {
    /// What is remembered now. While the turn lasts nobody else changes it.
    public let memory: TutorialMemory

    private let remember: @Sendable (TutorialMemory) async throws(ProfileServiceError) -> Void

    /// Makes a turn.
    ///
    /// - Parameters:
    ///   - memory: What is remembered now.
    ///   - remember: Writes down what is to be remembered from now on.
    public init(
        memory: TutorialMemory,
        remember: @escaping @Sendable (TutorialMemory) async throws(ProfileServiceError) -> Void
    ) {
        self.memory = memory
        self.remember = remember
    }

    /// Writes down what is to be remembered from now on.
    ///
    /// - Parameter memory: What is to be remembered.
    /// - Throws: What kept it from being written.
    public func end(remembering memory: TutorialMemory) async throws(ProfileServiceError) {
        try await remember(memory)
    }
}
