/// Which runs of a saga to cancel, by the ids of their policies.
enum PolicyIDs: Sendable {
    /// Also those without an id.
    case all
    case id(AnySendableHashable)
    /// Whether an id is included; nil if it has another type than the predicate takes.
    case satisfying(@Sendable (AnySendableHashable) -> Bool?)

    /// Selects triggers.
    ///
    /// - Returns: The triggers, and whether any id has a type that was asked for. This is also true without ids.
    /// - Complexity: O(1) for one id, apart from its triggers; otherwise O(n) in the number of ids.
    func select(from sagas: [SagaRunner]) -> (triggers: [Run], isOfType: Bool) {
        let hasNoIDs = sagas.allSatisfy(\.triggersByID.isEmpty)
        switch self {
        case .all:
            return (sagas.flatMap(\.triggers.sorted), true)
        case .id(let id):
            // Usually, all ids have one type, so that the first one answers.
            let hasIDsOfType = sagas.contains { $0.triggersByID.keys.contains { $0.type == id.type } }
            return (sagas.flatMap { $0.triggersByID[id]?.sorted ?? [] }, hasNoIDs || hasIDsOfType)
        case .satisfying(let isIncluded):
            let answers = sagas.flatMap(\.triggersByID).compactMap { id, members in
                isIncluded(id).map { (isIncluded: $0, members) }
            }
            return (answers.filter(\.isIncluded).flatMap(\.1.sorted), hasNoIDs || !answers.isEmpty)
        }
    }
}
