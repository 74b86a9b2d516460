/// How the program ends.
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The rules refused it, or it failed.
    case failure = 1
    /// The arguments can't be understood.
    case usage = 64
    /// Control-C.
    case interrupted = 130
    /// The signal that asks a program to end.
    case terminated = 143
}
