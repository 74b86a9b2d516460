import Foundation

/// How a terminal treats what is typed and written.
struct TerminalMode {
    /// What the system calls it.
    let attributes: termios

    private init(attributes: termios) {
        self.attributes = attributes
    }

    /// The mode that a terminal is in.
    ///
    /// - Returns: The mode; nil where there is no terminal.
    init?(of descriptor: Int32) {
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.attributes = attributes
    }

    /// The mode in which every key comes at once, none is shown by itself, and none is a signal.
    var raw: TerminalMode {
        var raw = attributes
        cfmakeraw(&raw)
        return TerminalMode(attributes: raw)
    }

    /// Puts a terminal into the mode. A terminal that is gone stays as it is.
    ///
    /// Only for who stands in the foreground. In the background it depends on the thread what happens: the system stops
    /// the program where the thread hears of SIGTTOU, and otherwise lets it take the terminal of somebody else.
    func apply(to descriptor: Int32) {
        var attributes = attributes
        while tcsetattr(descriptor, TCSANOW, &attributes) != 0, errno == EINTR {}
    }
}
