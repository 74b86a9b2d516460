public import SampleServices

extension Items {
    /// A history that couldn't be read and is kept under another name.
    public struct FormerHistory: Sendable, Equatable {
        /// The path of the file.
        public let file: String

        /// Why it couldn't be read.
        public let cause: ItemsServiceError
    }
}
