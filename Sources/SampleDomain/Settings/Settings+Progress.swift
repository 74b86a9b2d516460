public import SampleServices

extension Settings {
    /// The progress of work with the service.
    public enum Progress: Sendable, Hashable {
        /// No work is running, and the last work succeeded.
        case idle

        /// Work is running.
        case running

        /// The last work failed.
        case failed(ProfileServiceError)

        /// The error of the last work, or nil if it didn't fail.
        public var failure: ProfileServiceError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }
}
