extension Relux {
    /// Why a saved value could not be loaded.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum LoadFailure: Error, CustomStringConvertible {
        /// It can't be read at the moment: a locked device, a missing permission, an error of the disk. It may be
        /// readable later.
        case unavailable(any Error)
        /// It was read, but isn't what was saved.
        case damaged(any Error)
        /// It was saved by a newer version of the program.
        case newer(version: Int)

        /// A sentence that says what is wrong with the saved value.
        public var description: String {
            switch self {
            case .unavailable(let error): "what was saved can't be read now: \(error)"
            case .damaged(let error): "what was saved is damaged: \(error)"
            case .newer(let version): "what was saved has the version \(version), which is newer than this program"
            }
        }
    }
}
