/// The outcome of an action, or of a batch: an action that nothing handles, or that was dispatched to no instance,
/// outweighs a refusal or a drop, and these outweigh success.
struct Receipt: Sendable {
    /// The number of the last action that the caller has listed.
    var sequence: UInt64?
    /// Why an action was not reduced, or not handled; nil if all were. A run that may not write any more counts as
    /// cancelled, and so does a call from inside the store.
    var refusal: Relux.EffectError?
    /// The group of what was triggered; nil if nothing was.
    var group: Group?
}
