import Foundation
import Relux

/// The entities of a payload of which each is saved under a key of its own, without their type.
protocol SavedElements<Payload>: Sendable {
    associatedtype Payload: Sendable

    /// A payload without elements.
    func rest(from record: SavedRecord, _ decoding: SavedDecoding) throws -> Payload

    /// A payload as it is saved, with what code chooses for another one.
    func configured(_ payload: Payload, as other: Payload) -> Payload

    /// Puts the elements of records into a payload.
    ///
    /// - Returns: Their places.
    func insert(
        _ records: [(part: String, record: SavedRecord)], _ decoding: SavedDecoding, into payload: inout Payload
    ) throws -> any Sendable

    /// The writes after a change of the payload.
    ///
    /// - Parameter places: Where the old elements are stored.
    /// - Complexity: O(log *n*) for each change, if the payloads share what hasn't changed.
    func plan(_ old: Payload?, _ new: Payload, _ places: (any Sendable)?) -> SavedPlan

    /// Lets both payloads have what only one of them has changed, so that they differ only in what both have.
    func reconciled(_ base: Payload?, _ ours: Payload, _ theirs: Payload) -> (ours: Payload, theirs: Payload)
}

/// The writes of a save of elements.
struct SavedPlan {
    let changes: [SavedChange]
    /// Where the elements are stored then.
    let places: any Sendable
    let count: Int
    /// The payload without its elements.
    let rest: any Encodable
}

/// An element that has to be written or removed.
struct SavedChange {
    /// The part of the key that stands for the id.
    let part: String
    let isNew: Bool
    /// The number by which elements are sorted; nil if they aren't.
    let rank: Double?
    /// Nil for an element that is removed.
    let encode: ((Relux.SavedFormat) throws -> Data)?
}

/// Where an element is stored.
private struct SavedPlace<ID: Hashable & Sendable>: Identifiable, Sendable {
    let id: ID
    /// The part of the key that stands for the id. Equal ids can have different texts; the first one counts.
    let part: String
    /// The number by which elements are sorted.
    var rank: Double
}

/// The elements at a key path.
struct SavedElementsAt<
    Payload: Codable & Equatable & Sendable, Element: Identifiable & Codable & Equatable & Sendable
>: SavedElements where Element.ID: Sendable {
    private typealias Places = Relux.Entities<SavedPlace<Element.ID>>

    let path: WritableKeyPath<Payload, Relux.Entities<Element>> & Sendable

    func rest(from record: SavedRecord, _ decoding: SavedDecoding) throws -> Payload {
        try decoding.decode(Payload.self, from: record)
    }

    func configured(_ payload: Payload, as other: Payload) -> Payload { payload }

    private func replacing(_ payload: Payload, _ elements: Relux.Entities<Element> = Relux.Entities()) -> Payload {
        var payload = payload
        payload[keyPath: path] = elements
        return payload
    }

    func insert(
        _ records: [(part: String, record: SavedRecord)], _ decoding: SavedDecoding, into payload: inout Payload
    ) throws -> any Sendable {
        let stored = try records.map { part, record in
            let element = try decoding.decode(Element.self, from: record)
            return (element, place: SavedPlace(id: element.id, part: part, rank: record.rank ?? 0))
        }.sorted { ($0.place.rank, $0.place.part) < ($1.place.rank, $1.place.part) }
        let refused = payload[keyPath: path].append(contentsOf: stored.map(\.0))
        if let element = refused.first { throw Relux.SavedDamage.sameID("\(element.id)") }
        return Places(stored.map(\.place), keeping: .first)
    }

    func plan(_ old: Payload?, _ new: Payload, _ places: (any Sendable)?) -> SavedPlan {
        let (rest, old, new) = (replacing(new), old?[keyPath: path] ?? Relux.Entities(), new[keyPath: path])
        var places = places as? Places ?? Places()
        var changes: [SavedChange] = []
        let differences = new.differences(from: old)
        for position in differences.removals {
            guard let place = places.remove(id: old[position].id) else { continue }
            changes.append(SavedChange(part: place.part, isNew: false, rank: place.rank, encode: nil))
        }
        let placed = differences.insertions + differences.moves.map(\.to)
        let assigned =
            newRanks(of: placed, count: new.count) { places[id: new[$0].id]?.rank }
            ?? Dictionary(uniqueKeysWithValues: new.indices.map { ($0, Double($0 + 1)) })
        for position in Set(assigned.keys).union(differences.updates.map(\.to)).sorted() {
            let element = new[position]
            let present = places[id: element.id]
            let place = SavedPlace(
                id: element.id, part: present?.part ?? SavedKey.part(of: SavedKey.text(of: element.id)),
                rank: assigned[position] ?? present?.rank ?? 0)
            places.upsert(place)
            changes.append(
                SavedChange(part: place.part, isNew: present == nil, rank: place.rank) { try $0.encode(element) })
        }
        return SavedPlan(changes: changes, places: places, count: new.count, rest: rest)
    }

    /// Ranks for some positions, between those of their neighbours.
    ///
    /// - Parameter known: The rank of a position that keeps it.
    /// - Returns: Nil if there is no room, so that all positions need new ranks.
    private func newRanks(of positions: [Int], count: Int, known: (Int) -> Double?) -> [Int: Double]? {
        var ranks: [Int: Double] = [:]
        for run in IndexSet(positions).rangeView {
            // A run of neighbours shares the interval between the two elements around it, which keep their ranks.
            let next = run.upperBound < count ? known(run.upperBound) : nil
            let start = run.lowerBound == 0 ? (next ?? 1) - Double(run.count + 1) : known(run.lowerBound - 1) ?? 0
            let step = next.map { ($0 - start) / Double(run.count + 1) } ?? 1
            let all = (0...run.count).map { start + step * Double($0) }
            guard zip(all, all.dropFirst() + [next ?? .infinity]).allSatisfy(<) else { return nil }
            for position in run { ranks[position] = all[position - run.lowerBound + 1] }
        }
        return ranks
    }

    func reconciled(_ base: Payload?, _ ours: Payload, _ theirs: Payload) -> (ours: Payload, theirs: Payload) {
        let elements = reconciled(base?[keyPath: path] ?? Relux.Entities(), ours[keyPath: path], theirs[keyPath: path])
        let old = base.map { replacing($0) }
        return (
            replacing(old == replacing(ours) ? theirs : ours, elements.ours),
            replacing(old == replacing(theirs) ? ours : theirs, elements.theirs)
        )
    }

    private func reconciled(
        _ base: Relux.Entities<Element>, _ ours: Relux.Entities<Element>, _ theirs: Relux.Entities<Element>
    ) -> (ours: Relux.Entities<Element>, theirs: Relux.Entities<Element>) {
        let (mine, others) = (ours.differences(from: base), theirs.differences(from: base))
        func changed(
            _ differences: Relux.Entities<Element>.Differences, in new: Relux.Entities<Element>
        ) -> Set<Element.ID> {
            let present = (differences.insertions + differences.updates.map(\.to)).map { new[$0].id }
            return Set(differences.removals.map { base[$0].id } + present)
        }
        let (ourChanges, theirChanges) = (changed(mine, in: ours), changed(others, in: theirs))
        let movedByOthers = Set(others.moves.map { theirs[$0.to].id })
        /// Theirs, with what this store has changed in some elements, and with what only this store has moved.
        func taking(_ changes: Set<Element.ID>) -> Relux.Entities<Element> {
            var merged = theirs
            merged.remove(ids: changes.filter { !ours.contains(id: $0) })
            merged.upsert(contentsOf: changes.filter { merged.contains(id: $0) }.compactMap { ours[id: $0] })
            let moved = mine.moves.map(\.to).filter {
                merged.contains(id: ours[$0].id) && !movedByOthers.contains(ours[$0].id)
            }
            let missing = (mine.insertions + mine.updates.map(\.to)).filter {
                changes.contains(ours[$0].id) && !merged.contains(id: ours[$0].id)
            }
            for position in (moved + missing).sorted() {
                // Others may have changed what this store has only moved.
                let element = merged.remove(id: ours[position].id) ?? ours[position]
                // Behind the one that it follows here.
                let before = ours.indices[..<position].last { merged.contains(id: ours[$0].id) }
                let target = before.flatMap { merged.position(id: ours[$0].id) }.map { $0 + 1 } ?? 0
                merged.insert(element, at: target)
            }
            return merged
        }
        return (taking(ourChanges), taking(ourChanges.subtracting(theirChanges)))
    }
}
