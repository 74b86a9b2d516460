/// The exclusive right to give the tutorial, held by one process at a time.
///
/// - Lifetime: The turn ends when its last reference is released. If ``end(remembering:)`` wasn't called by then, the
///   memory is unchanged and another process can try again.
public final class TutorialTurn: Sendable {
    /// What is remembered. Nobody else changes it during the turn.
    public let memory: TutorialMemory

    private let remember: @Sendable (TutorialMemory) async throws(ProfileServiceError) -> Void

    /// Creates a turn.
    ///
    /// - Parameters:
    ///   - memory: What is remembered.
    ///   - remember: Stores what is to be remembered from now on.
    public init(
        memory: TutorialMemory,
        remember: @escaping @Sendable (TutorialMemory) async throws(ProfileServiceError) -> Void
    ) {
        self.memory = memory
        self.remember = remember
    }

    /// Stores what is to be remembered from now on.
    ///
    /// - Throws: If it can't be written.
    public func end(remembering memory: TutorialMemory) async throws(ProfileServiceError) {
        try await remember(memory)
    }
}
