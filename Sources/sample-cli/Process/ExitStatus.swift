/// The exit status of the program.
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The command was rejected or failed.
    case failure = 1
    case usage = 64
    /// Ended because the terminal was closed (SIGHUP).
    case hungUp = 129
    case interrupted = 130
    /// Ended by Control-Backslash (SIGQUIT).
    case quit = 131
    case terminated = 143
}
