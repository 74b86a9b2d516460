/// The states that a selection has read, and their versions at that time.
final class ReadLog {
    struct Read: Sendable {
        let state: ObjectIdentifier
        /// Nil if no module owned the state.
        let mark: StateMark?
    }

    private(set) var reads: [Read] = []

    func note<S: Relux.State>(_ state: S.Type, in states: StateTable) {
        let key = ObjectIdentifier(state)
        guard !reads.contains(where: { $0.state == key }) else { return }
        reads.append(Read(state: key, mark: states.mark(of: key)))
    }
}
