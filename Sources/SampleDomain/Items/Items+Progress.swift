public import SampleServices

extension Items {
    /// How far work with the service is.
    public enum Progress: Sendable, Equatable {
        /// Nothing is going on, and nothing went wrong last time.
        case idle

        /// It is going on.
        case running

        /// It failed last time.
        case failed(ItemsServiceError)

        /// What went wrong last time, if anything did.
        public var failure: ItemsServiceError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }
}
