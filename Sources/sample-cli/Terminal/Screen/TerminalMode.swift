import Foundation

/// The input and output mode of a terminal.
struct TerminalMode {
    let attributes: termios

    private init(attributes: termios) {
        self.attributes = attributes
    }

    /// Reads the current mode of a terminal. The result is nil if the descriptor is not a terminal.
    init?(of descriptor: Int32) {
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.attributes = attributes
    }

    /// The raw mode: every key is delivered immediately, isn't echoed, and never generates a signal.
    var raw: TerminalMode {
        var raw = attributes
        cfmakeraw(&raw)
        return TerminalMode(attributes: raw)
    }

    /// Applies the mode to a terminal. If the terminal is gone, nothing happens.
    ///
    /// Only for a program in the foreground. In the background, the result depends on the thread: the system stops the
    /// program if the thread accepts SIGTTOU, and otherwise lets it change another program's terminal.
    func apply(to descriptor: Int32) {
        var attributes = attributes
        while tcsetattr(descriptor, TCSANOW, &attributes) != 0, errno == EINTR {}
    }
}
