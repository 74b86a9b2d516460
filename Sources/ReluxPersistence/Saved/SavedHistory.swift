import Foundation
import Relux

/// The steps of an ``Relux/Undoable``, of which each is saved under a key of its own, with its number. The present
/// state is the rest.
private struct SavedHistory<History: HistoryState>: SavedElements {
    func rest(from record: SavedRecord, _ decoding: SavedDecoding) throws -> History {
        History(try decoding.decode(History.Snapshot.self, from: record), steps: [:])
    }

    func configured(_ payload: History, as other: History) -> History { payload.configured(as: other) }

    /// - Returns: The stored steps.
    func insert(
        _ records: [(part: String, record: SavedRecord)], _ decoding: SavedDecoding, into payload: inout History
    ) throws -> any Sendable {
        // Steps are states of their own.
        let decoding = SavedDecoding(version: decoding.version, migrations: decoding.migrations)
        var steps: [Int: History.Snapshot] = [:]
        for (part, record) in records {
            // Far from where counting ends.
            guard let number = Int(part), "\(number)" == part, (1...UInt(Int.max / 2)).contains(number.magnitude) else {
                throw Relux.SavedDamage.foreignElements
            }
            steps[number] = try decoding.decode(History.Snapshot.self, from: record)
        }
        payload = History(payload.present, steps: steps)
        return steps
    }

    func plan(_ old: History?, _ new: History, _ places: (any Sendable)?) -> SavedPlan {
        let (steps, stored) = (new.steps, places as? [Int: History.Snapshot] ?? [:])
        let removals = stored.keys.filter { steps[$0] == nil }.map {
            SavedChange(part: "\($0)", isNew: false, rank: nil, encode: nil)
        }
        let changes = steps.filter { stored[$0] != $1 }.map { number, state in
            SavedChange(part: "\(number)", isNew: stored[number] == nil, rank: nil) { try $0.encode(state) }
        }
        return SavedPlan(changes: removals + changes, places: steps, count: steps.count, rest: new.present)
    }

    /// A history is one whole: steps of both are never mixed.
    func reconciled(_ base: History?, _ ours: History, _ theirs: History) -> (ours: History, theirs: History) {
        (ours, theirs)
    }
}

/// The steps of a payload as elements; nil if it is no ``Relux/Undoable``.
func savedHistory<Payload>(of payload: Payload.Type) -> (any SavedElements<Payload>)? {
    func elements<History: HistoryState>(_ history: History.Type) -> any SavedElements { SavedHistory<History>() }
    return (payload as? any HistoryState.Type).flatMap { elements($0) as? any SavedElements<Payload> }
}
