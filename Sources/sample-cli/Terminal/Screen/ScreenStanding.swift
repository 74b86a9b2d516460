import Synchronization

/// How a terminal stands between a program and the shell, and what may become of it.
enum ScreenStanding: UInt8, AtomicRepresentable {
    /// Nobody has wanted it to be a full screen yet.
    case untouched
    /// It is a full screen, and has to be given back.
    case entered
    /// It is being given back, for a while.
    case leaving
    /// It is as it was, for a while.
    case left
    /// It is being given back for good.
    case ending
    /// It was given back for good.
    case over

    /// How it stands once somebody has wanted it to be a full screen.
    ///
    /// - Parameters:
    ///   - isAgain: Whether that is wanted only where it was wanted before.
    ///   - isInForeground: Whether it may be one now. Otherwise it may when that is wanted again.
    /// - Returns: How it stands then.
    func entering(again isAgain: Bool, inForeground isInForeground: Bool) -> ScreenStanding {
        switch self {
        case .untouched where isAgain: self
        case .untouched, .left: isInForeground ? .entered : .left
        case .entered, .leaving, .ending, .over: self
        }
    }

    /// How it stands once somebody has wanted it to be given back. Where it is being given back then, that has to be
    /// done, also by who comes second: a crash may leave who came first no time.
    func leaving(forGood isOver: Bool) -> ScreenStanding {
        switch self {
        case .untouched, .left: isOver ? .over : self
        case .entered: isOver ? .ending : .leaving
        case .leaving, .ending: isOver ? .ending : self
        case .over: self
        }
    }

    /// Whether it is a full screen no more, and not yet as it was.
    var isBeingLeft: Bool { self == .leaving || self == .ending }

    /// How it stands once it was given back. Who has done so for a while leaves it to who does so for good.
    func hasLeft(forGood isOver: Bool) -> ScreenStanding {
        switch self {
        case .leaving: .left
        case .ending: isOver ? .over : self
        case .untouched, .entered, .left, .over: self
        }
    }
}
