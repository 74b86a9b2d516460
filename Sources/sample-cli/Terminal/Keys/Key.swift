/// A key of a terminal's keyboard.
enum Key: Sendable, Hashable {
    /// A typed character. A character of several Unicode scalars arrives as several keys, which combine again in a
    /// string.
    case character(Character)
    /// A letter or symbol typed with Control, the letter in lower case.
    case control(Character)
    /// Pasted text, whose contents are not interpreted as keys.
    case pasted(String)

    case up, down, left, right
    /// With Shift, which is ignored for all other keys.
    case shiftUp, shiftDown
    case home, end, pageUp, pageDown
    case delete, backspace
    case enter, tab, backTab, escape

    /// A key that has no meaning anywhere.
    case unknown
}
