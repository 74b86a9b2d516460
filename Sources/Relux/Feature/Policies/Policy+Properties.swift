/// The properties of a policy that the core needs.
// Declared on the kind, which is a trivial type: each call of a method of the policy would copy the policy.
extension Relux.Policy.Kind {
    /// Whether the policy relates its runs to others.
    var isRelated: Bool {
        if case .concurrent = self { false } else { true }
    }

    /// Whether a run may wait for another one because of the policy, so that a run that performs into its own lane may
    /// never end.
    var letsRunsWait: Bool {
        switch self {
        case .serial, .limited, .shared, .conflated: true
        case .concurrent, .latest, .leading, .debounce, .throttle: false
        }
    }

    /// The number of active and ending runs below which a queued run may start.
    var limit: Int {
        if case .limited(let limit) = self { limit } else { 1 }
    }
}
