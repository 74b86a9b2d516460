import Foundation
import Relux

/// The entities of a payload of which each is saved under a key of its own, without their type.
struct SavedElements<Payload: Sendable>: Sendable {
    /// An element that has to be written or removed.
    struct Change: Sendable {
        /// The part of the key that stands for the id.
        let id: String
        /// The number by which elements are sorted. Nil for an element that is removed.
        let rank: Double?
        let encode: @Sendable (SavedFormat) throws -> Data
    }

    /// The payload without its elements.
    let rest: @Sendable (Payload) -> Payload
    /// The first payload with the elements of the second one.
    let combining: @Sendable (_ rest: Payload, _ whole: Payload) -> Payload
    /// The elements to write or remove after the payload has changed.
    let changes: @Sendable (_ old: Payload?, _ new: Payload, _ ranks: [String: Double]) -> [Change]
    /// Puts the elements of records into a payload.
    let insert: @Sendable (inout Payload, [(data: Data, format: SavedFormat)]) throws -> [String: Double]
    /// A payload with one element replaced by the given data, or removed if they are nil.
    let replacing: @Sendable (_ id: String, _ payload: Payload, _ data: Data?, SavedFormat) throws -> Payload
    /// The encoded element of a payload; nil if it has none with this id.
    let encoded: @Sendable (_ id: String, _ payload: Payload, _ rank: Double, SavedFormat) throws -> Data?
}

/// The stored form of an element.
private struct StoredElement<Element: Codable>: Codable {
    let rank: Double
    let element: Element
}

extension SavedElements {
    /// - Parameter path: Where the payload has its elements.
    static func at<Element: Identifiable & Codable & Equatable & Sendable>(
        _ path: WritableKeyPath<Payload, Relux.Entities<Element>> & Sendable
    ) -> SavedElements where Element.ID: Sendable {
        let text: @Sendable (Element) -> String = { SavedKey.text(of: $0.id) }
        let find: @Sendable (String, Payload) -> Element? = { id, payload in
            payload[keyPath: path].first { text($0) == id }
        }
        return SavedElements(
            rest: { payload in
                var rest = payload
                rest[keyPath: path] = Relux.Entities()
                return rest
            },
            combining: { rest, whole in
                var payload = rest
                payload[keyPath: path] = whole[keyPath: path]
                return payload
            },
            changes: { old, new, ranks in
                changes(from: old?[keyPath: path] ?? Relux.Entities(), to: new[keyPath: path], ranks, text)
            },
            insert: { payload, records in
                let stored = try records.map { try $0.format.decode(StoredElement<Element>.self, from: $0.data) }
                    .map { (element: $0.element, rank: $0.rank, id: text($0.element)) }
                    .sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
                _ = payload[keyPath: path].append(contentsOf: stored.map(\.element))
                return Dictionary(stored.map { ($0.id, $0.rank) }) { first, _ in first }
            },
            replacing: { id, payload, data, format in
                var payload = payload
                let theirs = try data.map { try format.decode(StoredElement<Element>.self, from: $0).element }
                if let theirs {
                    _ = payload[keyPath: path].upsert(theirs)
                } else if let ours = find(id, payload) {
                    payload[keyPath: path].remove(id: ours.id)
                }
                return payload
            },
            encoded: { id, payload, rank, format in
                try find(id, payload).map { try format.encode(StoredElement(rank: rank, element: $0)) }
            }
        )
    }

    private static func changes<Element: Identifiable & Codable & Equatable & Sendable>(
        from old: Relux.Entities<Element>, to new: Relux.Entities<Element>, _ ranks: [String: Double],
        _ text: @escaping @Sendable (Element) -> String
    ) -> [Change] where Element.ID: Sendable {
        // Only those that have records of their own.
        let old =
            old.count == ranks.count ? old : Relux.Entities(old.filter { ranks[text($0)] != nil }, keeping: .first)
        let differences = new.differences(from: old)
        let removals = differences.removals.map { position in
            Change(id: text(old[position]), rank: nil) { _ in Data() }
        }
        let placed = (differences.insertions + differences.moves.map(\.to)).sorted()
        let known: (Int) -> Double? = { new.indices.contains($0) ? ranks[text(new[$0])] : nil }
        let assigned =
            newRanks(of: placed, count: new.count, known: known)
            ?? Dictionary(uniqueKeysWithValues: new.indices.map { ($0, Double($0 + 1)) })
        let touched = Set(assigned.keys).union(differences.updates.map(\.to)).sorted()
        return removals
            + touched.map { position in
                let (element, rank) = (new[position], assigned[position] ?? known(position) ?? 0)
                return Change(id: text(element), rank: rank) { format in
                    try format.encode(StoredElement(rank: rank, element: element))
                }
            }
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
}
