import Foundation

extension SystemError {
    /// Translates the error number into an error of the users service.
    func usersError(_ operation: UsersServiceError.Operation, file: String) -> UsersServiceError {
        switch code {
        case EACCES, EPERM, EROFS: UsersServiceError(.noPermission(operation), file: file)
        case ENOSPC, EDQUOT: UsersServiceError(.diskFull, file: file)
        case EISDIR: UsersServiceError(.notAFile, file: file)
        default: UsersServiceError(.system(operation, code: code), file: file)
        }
    }
}
