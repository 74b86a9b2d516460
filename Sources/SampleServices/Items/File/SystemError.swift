import Foundation

/// The error number of a system call that failed.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The number that the last system call of this thread left behind.
    static var last: SystemError { SystemError(code: errno) }

    /// What the number means for somebody who keeps a list.
    func serviceError(_ operation: ItemsServiceError.Operation, file: String) -> ItemsServiceError {
        switch code {
        case EACCES, EPERM, EROFS: ItemsServiceError(.noPermission(operation), file: file)
        case ENOSPC, EDQUOT: ItemsServiceError(.diskFull, file: file)
        case EISDIR: ItemsServiceError(.notAFile, file: file)
        default: ItemsServiceError(.system(operation, code: code), file: file)
        }
    }
}
