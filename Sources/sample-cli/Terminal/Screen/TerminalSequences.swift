/// What a terminal is told to become a full screen, and to be as before.
enum TerminalSequences {
    /// The other screen, no cursor, no line that goes on in the next row by itself, and pasted text marked as such.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

    /// The same the other way round.
    static let leave = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
