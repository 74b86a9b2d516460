/// Where it is remembered, beside a list, whether its tutorial was given. Whatever happens to it, the list is safe.
///
/// Several services, in one process or in many, may stand before the same memory.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
public protocol TutorialService: Sendable {
    /// Reads what is remembered. Nothing is locked or made.
    ///
    /// - Returns: What is remembered now.
    /// - Throws: What kept it from being read.
    func memory() async throws(ProfileServiceError) -> TutorialMemory

    /// Waits for the turn to give the tutorial, or to change what is remembered.
    ///
    /// - Returns: The turn, which shuts everybody else out for as long as it lasts.
    /// - Throws: What kept the memory from being read or locked. A memory that can't be read entirely isn't written to.
    func begin() async throws(ProfileServiceError) -> TutorialTurn
}
