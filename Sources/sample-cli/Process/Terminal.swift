import Foundation

/// What is known of the terminal that standard error leads to.
enum Terminal {
    /// How many characters a line has, or 80 where nobody knows.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
