import Relux

/// A step that was made, and whose stated changes are still to be checked.
enum StepMade {
    /// A step whose action was reduced, and why that was the wrong scope for it, if it was.
    case taken(TestLedger.Step, misdirection: String?)
    /// A step whose action was refused, as the test expects.
    case refused(any Relux.Action, leaving: StateSnapshot)

    /// Why the step was made in the wrong scope; nil if it wasn't.
    var misdirection: String? {
        if case .taken(_, let misdirection) = self { misdirection } else { nil }
    }
}
