/// The memory of a tutorial that is kept in memory, for tests and previews.
///
/// A closure that runs before each call lets a test make it fail. Turns are given without waiting, because there is
/// only one process, in which a single saga gives the tutorial.
public actor InMemoryTutorialService: TutorialService {
    /// Runs before a read or write. The read or write throws any error that the hook throws.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// What is remembered.
    public private(set) var remembered: TutorialMemory

    private let hook: Hook

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - memory: What is remembered initially.
    ///   - hook: Runs before each read and write. The default does nothing.
    public init(_ memory: TutorialMemory = .untouched, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        remembered = memory
        self.hook = hook
    }

    /// Returns what is remembered.
    ///
    /// - Throws: Any error that the hook throws.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        try await hook()
        return remembered
    }

    /// Starts a turn, without waiting.
    ///
    /// - Throws: Any error that the hook throws.
    public func begin() async throws(ProfileServiceError) -> TutorialTurn {
        TutorialTurn(memory: try await memory()) { (memory) throws(ProfileServiceError) in
            try await self.remember(memory)
        }
    }

    private func remember(_ memory: TutorialMemory) async throws(ProfileServiceError) {
        try await hook()
        remembered = memory
    }
}
