import Foundation

extension SystemError {
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
