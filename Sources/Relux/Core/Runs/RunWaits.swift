/// The waits for actions and states that end with the run whose context was used.
struct RunWaits {
    private var waits: [RunID: [any WaitOfRun]] = [:]

    var isEmpty: Bool { waits.isEmpty }

    /// The number of runs that have waits.
    var count: Int { waits.count }

    mutating func add(_ wait: any WaitOfRun, of run: RunID) {
        waits[run, default: []].append(wait)
    }

    mutating func remove(_ wait: any WaitOfRun, of run: RunID) {
        guard let index = waits[run]?.firstIndex(where: { $0 === wait }) else { return }
        waits[run]?.remove(at: index)
        if waits[run]?.isEmpty == true { waits[run] = nil }
    }

    /// Removes the waits of a run that has ended or has been halted.
    ///
    /// - Returns: The waits to end.
    mutating func removeAll(of run: RunID) -> [any WaitOfRun] {
        waits.removeValue(forKey: run) ?? []
    }
}
