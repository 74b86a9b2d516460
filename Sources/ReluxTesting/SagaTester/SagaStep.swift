import Relux

extension SagaTester {
    /// Something that a saga does.
    public typealias Step = SagaStep
}

/// Something that a saga does, as a ``SagaTester`` notes it.
public enum SagaStep: Sendable, CustomStringConvertible {
    /// It dispatched or sent an action.
    case dispatched(any Relux.Action)
    /// It performed an effect.
    case performed(any Relux.Action)
    /// It slept.
    case slept(Duration)

    /// What it did, such as `dispatched Session.Action.signedIn("ann")`. The same in every process.
    public var description: String {
        switch self {
        case .dispatched(let action): "dispatched \(ActionText.line(action))"
        case .performed(let effect): "performed \(ActionText.line(effect))"
        case .slept(let duration): "slept for \(duration)"
        }
    }
}
