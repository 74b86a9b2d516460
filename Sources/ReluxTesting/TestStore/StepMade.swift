import Relux

/// A step that was made, and whose stated changes are still to be checked.
enum StepMade {
    /// A plain step, with the states that it concerned.
    case plain(PlainStep, PlainStates, any Relux.Action)
    /// A step on the scheduler whose action was reduced.
    case taken(TestLedger.Step)
    /// A step on the scheduler whose action was refused, as the test expects.
    case refused(any Relux.Action, leaving: StateSnapshot)
}
