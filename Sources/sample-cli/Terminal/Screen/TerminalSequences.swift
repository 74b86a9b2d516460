/// What a terminal is told to become a full screen, and to be as before.
enum TerminalSequences {
    /// The other screen, no cursor, no line that goes on in the next row by itself, and pasted text marked as such.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

    /// What belongs to one picture, so that none is seen in parts. Terminals that don't know it pass over it.
    static let beginUpdate = "\u{1B}[?2026h"

    static let endUpdate = "\u{1B}[?2026l"

    /// The same as ``enter`` the other way round, in the middle of a picture too.
    static let leave = endUpdate + "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
