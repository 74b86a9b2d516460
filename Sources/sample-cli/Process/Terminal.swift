import Foundation

/// The terminal to which standard error is connected.
enum Terminal {
    /// The number of columns, or 80 if it is unknown.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
