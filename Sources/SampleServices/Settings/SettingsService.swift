/// Where somebody's settings are kept.
///
/// Several services, in one process or in many, may stand before the same settings.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
/// - Ordering: Saves of one service are carried out one at a time. Snapshots may reach their readers in another order
///   than they were taken; ``SettingsSnapshot/revision`` tells the newer one.
public protocol SettingsService: Sendable {
    /// Reads the settings. Where nothing has been saved yet they are those of somebody who hasn't chosen anything.
    ///
    /// - Returns: The settings as they are stored now.
    /// - Throws: What kept them from being read. Nothing has been changed then.
    func load() async throws(ProfileServiceError) -> SettingsSnapshot

    /// Merges changes into what is stored now.
    ///
    /// Cancelling the task while the save waits for its turn ends it with ``ProfileServiceError/Reason/cancelled``, and
    /// nothing is changed. A save that has begun to write isn't interrupted.
    ///
    /// - Parameter changes: What is to be otherwise.
    /// - Returns: What is stored now: the changes, and whatever had been changed elsewhere.
    /// - Throws: What kept the changes from being saved. What was stored before is left as it was.
    func save(_ changes: SettingsChanges) async throws(ProfileServiceError) -> SettingsSnapshot

    /// The changes that others make, from what a load or save of this service has returned last.
    ///
    /// What this service saves itself isn't among them. A reader that is away gets the newest snapshot only. A failure
    /// to read doesn't end the sequence: when others have mended the matter the next snapshot follows.
    ///
    /// - Returns: A sequence for one reader. It ends when its task is cancelled, when it is released, and, after a
    ///   failure, when it can't go on.
    func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, ProfileServiceError>>
}
