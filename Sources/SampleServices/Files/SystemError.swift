import Foundation

/// The error number of a system call that failed.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The number that the last system call of this thread left behind.
    static var last: SystemError { SystemError(code: errno) }
}
