/// Whether an instance exists, and whether a module there or around it owns a state.
///
/// It is asked in the root, so that the answers end only with the store.
struct PresenceQuery: StateQuery {
    /// The instance; nil for the root.
    let address: ScopeAddress?
    /// The state; nil if only the instance counts.
    let state: ObjectIdentifier?

    /// Returns true, or waits until that may be the answer.
    func pull(from core: isolated Core, in root: ScopeNode, _ cursor: StateCursor<Bool>) -> StatePull<Bool> {
        guard core.phase == .open else { return .end }
        var path: [ScopeAddress] = []
        var next = address
        while let address = next {
            path.append(address)
            next = address.parent
        }
        var scope = root
        while let address = path.popLast() {
            guard let found = scope.group(of: address.module)?.node(for: address.id) else {
                // Of no state, so that changes in other instances don't wake the reader.
                let instances = ReadLog.Subject.instances(
                    of: ObjectIdentifier(address.module), state: ObjectIdentifier(Never.self))
                return core.wait(for: [ReadLog.Read(subject: instances, mark: nil)], in: scope)
            }
            scope = found
        }
        guard let state, scope.cell(of: state) == nil else { return .value(true) }
        return core.wait(for: [ReadLog.Read(subject: .state(state), mark: nil)], in: scope)
    }
}
