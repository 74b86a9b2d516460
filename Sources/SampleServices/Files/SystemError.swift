import Foundation

/// The error number of a failed system call.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The current thread's `errno`.
    static var last: SystemError { SystemError(code: errno) }

    /// A symbolic link whose target doesn't exist. The system reports a missing file instead.
    static let danglingLink = SystemError(code: ENOLINK)

    /// A file that is larger than any that this program would write.
    static let tooLarge = SystemError(code: EOVERFLOW)
}
