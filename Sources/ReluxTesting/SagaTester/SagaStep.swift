import Relux

extension SagaTester {
    /// Something that a saga does.
    public typealias Step = SagaStep
}

/// Something that a saga does, as recorded by a ``SagaTester``.
public enum SagaStep: Sendable, CustomStringConvertible {
    /// The saga dispatched or sent an action.
    case dispatched(any Relux.Action)
    /// The saga performed an effect.
    case performed(any Relux.Action)
    /// The saga slept.
    case slept(Duration)

    /// The step in words, such as `dispatched Session.Action.signedIn("ann")`; the same in every process.
    public var description: String {
        switch self {
        case .dispatched(let action): "dispatched \(ActionText.line(action))"
        case .performed(let effect): "performed \(ActionText.line(effect))"
        case .slept(let duration): "slept for \(duration.decimalText)"
        }
    }
}
