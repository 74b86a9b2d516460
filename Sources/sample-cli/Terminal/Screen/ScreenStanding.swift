import Synchronization

/// The state machine of a terminal that is shared by a program and the shell.
enum ScreenStanding: UInt8, AtomicRepresentable {
    /// It hasn't been entered yet.
    case untouched
    /// It is a full screen and must be restored.
    case entered
    /// It is being restored, temporarily.
    case leaving
    /// It is restored, temporarily.
    case left
    /// It is being restored permanently.
    case ending
    /// It is restored permanently.
    case over

    /// The state after a request to enter, possibly only if it was entered before. In the background it can't be
    /// entered now, but by a later request.
    func entering(again isAgain: Bool, inForeground isInForeground: Bool) -> ScreenStanding {
        switch self {
        case .untouched where isAgain: self
        case .untouched, .left: isInForeground ? .entered : .left
        case .entered, .leaving, .ending, .over: self
        }
    }

    /// The state after a request to leave. If the result is one of being restored, the caller must restore the
    /// terminal, even if another caller already does: that one may be cut short by a crash.
    func leaving(forGood isOver: Bool) -> ScreenStanding {
        switch self {
        case .untouched, .left: isOver ? .over : self
        case .entered: isOver ? .ending : .leaving
        case .leaving, .ending: isOver ? .ending : self
        case .over: self
        }
    }

    var isBeingLeft: Bool { self == .leaving || self == .ending }

    /// The state after the terminal was restored. A caller that restored it temporarily doesn't complete a permanent
    /// request.
    func hasLeft(forGood isOver: Bool) -> ScreenStanding {
        switch self {
        case .leaving: .left
        case .ending: isOver ? .over : self
        case .untouched, .entered, .left, .over: self
        }
    }
}
