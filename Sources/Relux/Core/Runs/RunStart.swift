/// When the body of a run starts.
enum RunStart: Sendable {
    case immediately
    /// When the signal fires.
    case inTurn(Signal)
    case at(Duration)
}
