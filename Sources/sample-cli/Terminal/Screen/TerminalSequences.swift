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
