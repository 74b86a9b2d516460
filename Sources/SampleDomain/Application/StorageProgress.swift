public import SampleServices

/// The progress of work with a service that stores data.
public enum StorageProgress: Sendable, Hashable {
    /// No work is running, and the last work succeeded.
    case idle
    /// Work is running.
    case running
    /// The last work failed.
    case failed(StorageError)

    /// The error of the last work, or nil if it didn't fail.
    public var failure: StorageError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
