/// What somebody has done on the keyboard of a terminal.
enum Key: Sendable, Hashable {
    /// A character was typed. One that is made of several comes in its parts, which a text puts together again.
    case character(Character)

    /// A letter or sign was typed with the control key, the letter in lower case; a space for the null character.
    case control(Character)

    /// A character was typed with the alt key.
    case alt(Character)

    /// A text was pasted; what is in it are no keys.
    case pasted(String)

    case up, down, left, right
    /// With the shift key, which elsewhere makes no difference.
    case shiftUp, shiftDown
    case home, end, pageUp, pageDown
    case insert, delete, backspace
    case enter, tab, backTab, escape

    /// A key that has no name here.
    case unknown
}
