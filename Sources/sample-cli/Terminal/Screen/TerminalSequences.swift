import Foundation

/// The escape sequences that turn a terminal into a full screen and back.
enum TerminalSequences {
    /// Selects the alternate screen, hides the cursor, disables automatic line wrapping, and enables bracketed paste.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

    /// Encloses the output of one picture, so that it is never displayed in parts (synchronized output). Terminals
    /// without support ignore this.
    static let beginUpdate = "\u{1B}[?2026h"

    static let endUpdate = "\u{1B}[?2026l"

    /// Reverts ``enter``, even in the middle of a picture.
    static let leave = endUpdate + "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}

// The input and output mode of a terminal.
extension termios {
    /// Reads the current mode of a terminal. The result is nil if the descriptor is not a terminal.
    init?(of descriptor: Int32) {
        self.init()
        guard tcgetattr(descriptor, &self) == 0 else { return nil }
    }

    /// The raw mode: every key is delivered immediately, isn't echoed, and never generates a signal.
    var raw: termios {
        var raw = self
        cfmakeraw(&raw)
        return raw
    }

    /// Applies the mode to a terminal. If the terminal is gone, nothing happens.
    ///
    /// Only for a program in the foreground. In the background, the result depends on the thread: the system stops the
    /// program if the thread accepts SIGTTOU, and otherwise lets it change another program's terminal.
    func apply(to descriptor: Int32) {
        var mode = self
        while tcsetattr(descriptor, TCSANOW, &mode) != 0, errno == EINTR {}
    }
}
