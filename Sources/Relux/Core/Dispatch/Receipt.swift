/// The outcome of an action, or of a batch: an action that nothing handles, or that was dispatched to no instance,
/// outweighs a refusal or a drop, and these outweigh success.
struct Receipt: Sendable {
    enum Disposition: Sendable {
        case reduced
        case unhandled
        case dropped
        case refused
        // Indirect: it is rare, and would make every receipt larger.
        indirect case noInstance(Relux.Scope)
        case insideStore
        case storeShutDown
    }

    /// The number of the last action that the caller has listed.
    var sequence: UInt64?
    private(set) var disposition = Disposition.reduced
    /// The group of what was triggered; nil if nothing was.
    var group: Group?

    init(_ disposition: Disposition = .reduced) { self.disposition = disposition }

    /// Notes what became of an action.
    mutating func note(_ new: Disposition) {
        switch (disposition, new) {
        case (.reduced, _), (_, .noInstance), (_, .unhandled): disposition = new
        default: break
        }
    }

    /// Why an effect that triggered nothing has no output.
    var refusal: Relux.EffectError {
        switch disposition {
        case .reduced, .unhandled, .insideStore: .unhandled
        case .dropped: .dropped
        case .noInstance(let scope): .noInstance(scope)
        case .refused: .cancelled
        case .storeShutDown: .storeShutDown
        }
    }
}
