import Foundation

extension SystemError {
    /// Translates the error number into an error of the items service.
    func serviceError(_ operation: ItemsServiceError.Operation, file: String) -> ItemsServiceError {
        switch code {
        case EACCES, EPERM, EROFS: ItemsServiceError(.noPermission(operation), file: file)
        case ENOSPC, EDQUOT: ItemsServiceError(.diskFull, file: file)
        case EISDIR: ItemsServiceError(.notAFile, file: file)
        case SystemError.danglingLink.code: ItemsServiceError(.danglingLink, file: file)
        case SystemError.tooLarge.code: ItemsServiceError(.tooLarge, file: file)
        default: ItemsServiceError(.system(operation, code: code), file: file)
        }
    }
}
