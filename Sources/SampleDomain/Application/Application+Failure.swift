import SampleServices

extension Application {
    /// What the failures of all services have in common that follow a folder.
    protocol Failure: Error {
        /// The path of the file or folder, with the line where that is known.
        var place: String { get }
        /// What happened, in one sentence without the place.
        var explanation: String { get }
        /// What a person can do about it, in one sentence.
        var advice: String { get }
        /// Whether the folder that was followed is gone.
        var isFolderGone: Bool { get }
        /// What the system didn't let the service do, where that is what happened.
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
