import Relux

/// A step that was made, and whose stated changes are still to be checked.
enum StepMade {
    /// A step whose action was reduced.
    case taken(TestLedger.Step)
    /// A step whose action was refused, as the test expects.
    case refused(any Relux.Action, leaving: StateSnapshot)
}
