import Foundation
import Relux

/// The entities of a payload of which each is saved under a key of its own, without their type.
struct SavedElements<Payload: Sendable>: Sendable {
    /// An element that has to be written or removed.
    struct Change: Sendable {
        /// The part of the key that stands for the id.
        let part: String
        let isNew: Bool
        /// Nil for an element that is removed.
        let encode: (@Sendable (Relux.SavedFormat) throws -> Data)?
    }

    let count: @Sendable (Payload) -> Int
    /// The payload without its elements.
    let rest: @Sendable (Payload) -> Payload
    /// Puts the elements of records into a payload, and returns their places.
    let insert:
        @Sendable (inout Payload, [(part: String, data: Data, format: Relux.SavedFormat)]) throws -> any Sendable
    /// What to write after the payload has changed, and the places after that.
    ///
    /// - Complexity: O(log *n*) for each change, if the payloads share what hasn't changed.
    let changes:
        @Sendable (_ old: Payload?, _ new: Payload, _ places: (any Sendable)?) -> (
            changes: [Change], places: any Sendable
        )
    /// Lets both payloads have what only one of them has changed, so that they differ only in what both have.
    let reconciled:
        @Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload) -> (
            ours: Payload, theirs: Payload
        )
}

/// Where an element is stored.
private struct SavedPlace<ID: Hashable & Sendable>: Identifiable, Sendable {
    let id: ID
    /// The part of the key that stands for the id. Equal ids can have different texts; the first one counts.
    let part: String
    /// The number by which elements are sorted.
    var rank: Double
}

/// The stored form of an element.
private struct StoredElement<Element: Codable>: Codable {
    let rank: Double
    let element: Element
}

extension SavedElements where Payload: Equatable {
    /// - Parameter path: Where the payload has its elements.
    static func at<Element: Identifiable & Codable & Equatable & Sendable>(
        _ path: WritableKeyPath<Payload, Relux.Entities<Element>> & Sendable
    ) -> SavedElements where Element.ID: Sendable {
        typealias Places = Relux.Entities<SavedPlace<Element.ID>>
        let replacing: @Sendable (Payload, Relux.Entities<Element>) -> Payload = { payload, elements in
            var payload = payload
            payload[keyPath: path] = elements
            return payload
        }
        return SavedElements(
            count: { $0[keyPath: path].count },
            rest: { replacing($0, Relux.Entities()) },
            insert: { payload, records in
                let stored = try records.map { part, data, format in
                    (part: part, stored: try format.decode(StoredElement<Element>.self, from: data))
                }.sorted { ($0.stored.rank, $0.part) < ($1.stored.rank, $1.part) }
                let refused = payload[keyPath: path].append(contentsOf: stored.map(\.stored.element))
                if let element = refused.first { throw Relux.SavedDamage.sameID("\(element.id)") }
                let places = stored.map { SavedPlace(id: $0.stored.element.id, part: $0.part, rank: $0.stored.rank) }
                return Places(places, keeping: .first)
            },
            changes: { old, new, places in
                changes(
                    from: old?[keyPath: path] ?? Relux.Entities(), to: new[keyPath: path], places as? Places ?? Places()
                )
            },
            reconciled: { base, ours, theirs in
                let elements = reconciled(base?[keyPath: path], ours[keyPath: path], theirs[keyPath: path])
                let rest = { replacing($0, Relux.Entities()) }
                let old = base.map(rest)
                return (
                    replacing(old == rest(ours) ? theirs : ours, elements.ours),
                    replacing(old == rest(theirs) ? ours : theirs, elements.theirs)
                )
            }
        )
    }

    private static func changes<Element: Identifiable & Codable & Equatable & Sendable>(
        from old: Relux.Entities<Element>, to new: Relux.Entities<Element>,
        _ places: Relux.Entities<SavedPlace<Element.ID>>
    ) -> (changes: [Change], places: any Sendable) where Element.ID: Sendable {
        var places = places
        var changes: [Change] = []
        let differences = new.differences(from: old)
        for position in differences.removals {
            guard let place = places.remove(id: old[position].id) else { continue }
            changes.append(Change(part: place.part, isNew: false, encode: nil))
        }
        let placed = (differences.insertions + differences.moves.map(\.to)).sorted()
        let known: (Int) -> Double? = { new.indices.contains($0) ? places[id: new[$0].id]?.rank : nil }
        let assigned =
            newRanks(of: placed, count: new.count, known: known)
            ?? Dictionary(uniqueKeysWithValues: new.indices.map { ($0, Double($0 + 1)) })
        for position in Set(assigned.keys).union(differences.updates.map(\.to)).sorted() {
            let element = new[position]
            let present = places[id: element.id]
            let place = SavedPlace(
                id: element.id, part: present?.part ?? SavedKey.part(of: SavedKey.text(of: element.id)),
                rank: assigned[position] ?? present?.rank ?? 0)
            places.upsert(place)
            changes.append(
                Change(part: place.part, isNew: present == nil) { format in
                    try format.encode(StoredElement(rank: place.rank, element: element))
                })
        }
        return (changes, places)
    }

    /// Ranks for some positions, between those of their neighbours.
    ///
    /// - Parameter known: The rank of a position that keeps it; nil outside.
    /// - Returns: Nil if there is no room, so that all positions need new ranks.
    private static func newRanks(of positions: [Int], count: Int, known: (Int) -> Double?) -> [Int: Double]? {
        var ranks: [Int: Double] = [:]
        var rest = positions[...]
        while let first = rest.first {
            // A run of neighbours shares the interval between the two elements around it, which keep their ranks.
            let length = rest.enumerated().prefix { $0.element == first + $0.offset }.count
            rest = rest.dropFirst(length)
            let next = first + length < count ? known(first + length) : nil
            if next == nil, first + length < count { return nil }
            let low = first == 0 ? (next ?? 1) - Double(length + 1) : ranks[first - 1] ?? known(first - 1)
            guard let low else { return nil }
            let step = next.map { ($0 - low) / Double(length + 1) } ?? 1
            for offset in 0..<length {
                let rank = low + step * Double(offset + 1)
                guard rank > (ranks[first + offset - 1] ?? low), next.map({ rank < $0 }) ?? true else { return nil }
                ranks[first + offset] = rank
            }
        }
        return ranks
    }

    private static func reconciled<Element: Identifiable & Equatable>(
        _ base: Relux.Entities<Element>?, _ ours: Relux.Entities<Element>, _ theirs: Relux.Entities<Element>
    ) -> (ours: Relux.Entities<Element>, theirs: Relux.Entities<Element>) {
        let base = base ?? Relux.Entities()
        let (mine, others) = (ours.differences(from: base), theirs.differences(from: base))
        func changed(_ differences: Relux.Entities<Element>.Differences, in new: Relux.Entities<Element>) -> Set<
            Element.ID
        > {
            let present = (differences.insertions + differences.updates.map(\.to)).map { new[$0].id }
            return Set(differences.removals.map { base[$0].id } + present)
        }
        /// Puts an element of ours behind the one that it follows there.
        func place(_ position: Int, in elements: inout Relux.Entities<Element>) {
            elements.remove(id: ours[position].id)
            let before = ours.indices[..<position].last { elements.contains(id: ours[$0].id) }
            let target = before.flatMap { elements.position(id: ours[$0].id) }.map { $0 + 1 } ?? 0
            elements.insert(ours[position], at: target)
        }
        let (ourChanges, theirChanges) = (changed(mine, in: ours), changed(others, in: theirs))
        let disputed = ourChanges.intersection(theirChanges).filter { ours[id: $0] != theirs[id: $0] }
        var merged = theirs
        for id in ourChanges where !theirChanges.contains(id) {
            if let element = ours[id: id] {
                if merged.contains(id: id) { merged.upsert(element) }
            } else {
                merged.remove(id: id)
            }
        }
        let movedByOthers = Set(others.moves.map { theirs[$0.to].id })
        let moves = mine.moves.map(\.to).filter {
            merged.contains(id: ours[$0].id) && !movedByOthers.contains(ours[$0].id)
        }
        let insertions = mine.insertions.filter { !theirChanges.contains(ours[$0].id) }
        for position in (moves + insertions).sorted() {
            let element = merged[id: ours[position].id]
            place(position, in: &merged)
            // Others may have changed what this store has only moved.
            if let element { merged.upsert(element) }
        }
        var result = merged
        for id in disputed {
            if let element = ours[id: id], let position = ours.position(id: id) {
                if result.contains(id: id) { result.upsert(element) } else { place(position, in: &result) }
            } else {
                result.remove(id: id)
            }
        }
        return (result, merged)
    }
}
