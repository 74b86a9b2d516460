public import SampleServices

extension Settings {
    /// How far work with the service is.
    public enum Progress: Sendable, Hashable {
        /// Nothing is going on, and nothing went wrong last time.
        case idle

        /// It is going on.
        case running

        /// It failed last time.
        case failed(ProfileServiceError)

        /// What went wrong last time, if anything did.
        public var failure: ProfileServiceError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }
}
