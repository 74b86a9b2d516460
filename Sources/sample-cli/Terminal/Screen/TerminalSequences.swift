import Foundation

/// The escape sequences that turn a terminal into a full screen and back.
enum TerminalSequences {
    /// Selects the alternate screen, hides the cursor, disables automatic line wrapping, and enables bracketed paste.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

    /// Reverts ``enter``.
    static let leave = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// Turns what a terminal displays, or nil if that is unknown, into other rows. Only rows that differ are written.
    ///
    /// The output is enclosed in synchronized output, so that it is never displayed in parts. Terminals without support
    /// ignore this.
    static func update(from old: [String]?, to new: [String]) -> String {
        let known = old.flatMap { $0.count == new.count ? $0 : nil }
        let rows = new.indices.filter { known?[$0] != new[$0] }
        guard known == nil || !rows.isEmpty else { return "" }
        let changes = rows.map { "\u{1B}[\($0 + 1);1H\u{1B}[0m\u{1B}[2K\(new[$0])" }.joined()
        return "\u{1B}[?2026h" + (known == nil ? "\u{1B}[0m\u{1B}[2J" : "") + changes + "\u{1B}[?2026l"
    }
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
    func apply(to descriptor: Int32) {
        var mode = self
        while tcsetattr(descriptor, TCSANOW, &mode) != 0, errno == EINTR {}
    }
}
