/// What is remembered of a tutorial as long as the process lasts: for tests and previews.
///
/// A closure, run before everything, lets a test make it fail. Turns are given whenever somebody asks: there is one
/// process only, in which one saga gives the tutorial.
public actor InMemoryTutorialService: TutorialService {
    /// Runs before everything: throws what that is to throw.
    public typealias Hook = @Sendable () async throws(ProfileServiceError) -> Void

    /// What is remembered now.
    public private(set) var remembered: TutorialMemory

    private let hook: Hook

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - memory: What is remembered at the beginning.
    ///   - hook: Runs before everything is read or written. The default does nothing.
    public init(_ memory: TutorialMemory = .untouched, hook: @escaping Hook = { () throws(ProfileServiceError) in }) {
        remembered = memory
        self.hook = hook
    }

    /// Returns what is remembered.
    ///
    /// - Returns: What is remembered now.
    /// - Throws: What the hook throws.
    public func memory() async throws(ProfileServiceError) -> TutorialMemory {
        try await hook()
        return remembered
    }

    /// Begins a turn.
    ///
    /// - Returns: The turn.
    /// - Throws: What the hook throws.
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
