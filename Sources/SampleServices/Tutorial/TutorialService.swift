/// Stores whether a list's tutorial was given, separately from the list. Nothing that happens to it affects the list.
///
/// Several services, in one process or in many, may use the same memory.
///
/// - Isolation: None. The methods can be called from anywhere, concurrently, and don't block a thread of the
///   cooperative pool for long.
public protocol TutorialService: Sendable {
    /// Reads what is remembered. Nothing is locked or created.
    ///
    /// - Throws: If the memory can't be read.
    func memory() async throws(ProfileServiceError) -> TutorialMemory

    /// Waits for the turn to give the tutorial or to change what is remembered.
    ///
    /// - Returns: The turn, which excludes all others for as long as it exists.
    /// - Throws: If the memory can't be read or locked. A memory that can't be read completely isn't written to.
    func begin() async throws(ProfileServiceError) -> TutorialTurn
}
