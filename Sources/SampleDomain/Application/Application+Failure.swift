import SampleServices

extension Application {
    /// The common part of the errors of all services that follow a folder.
    protocol Failure: Error {
        /// The path of the file or folder, followed by the line if it is known.
        var place: String { get }
        /// What happened, in one sentence, without the place.
        var explanation: String { get }
        /// What the user can do about it, in one sentence.
        var advice: String { get }
        /// Whether the followed folder is gone.
        var isFolderGone: Bool { get }
        /// The operation that the system refused, or nil for any other kind of error.
        var refused: ItemsServiceError.Operation? { get }
    }
}

extension ItemsServiceError: Application.Failure {
    var isFolderGone: Bool { reason == .folderVanished }
    var refused: Operation? {
        switch reason {
        case .noPermission(let operation), .system(let operation, _): operation
        default: nil
        }
    }
}

extension ProfileServiceError: Application.Failure {
    var place: String { file }
    var isFolderGone: Bool { reason == .folderVanished }
    var refused: Operation? {
        switch reason {
        case .noPermission(let operation), .system(let operation, _): operation
        default: nil
        }
    }
}

extension UsersServiceError: Application.Failure {
    var place: String { file }
    var isFolderGone: Bool { reason == .folderVanished }
    var refused: Operation? {
        switch reason {
        case .noPermission(let operation), .system(let operation, _): operation
        default: nil
        }
    }
}
