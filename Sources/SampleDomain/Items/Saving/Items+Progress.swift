public import SampleServices

extension Items {
    /// The progress of work with the service.
    public enum Progress: Sendable, Equatable {
        /// No work is running, and the last work succeeded.
        case idle

        /// Work is running.
        case running

        /// The last work failed.
        case failed(ItemsServiceError)

        /// The error of the last work, or nil if it didn't fail.
        public var failure: ItemsServiceError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }
}
