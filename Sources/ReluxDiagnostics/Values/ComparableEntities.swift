import Foundation
import Relux

/// The elements in which two `Entities` differ, with their keys.
struct DifferingElements {
    var removals: [String] = []
    var updates: [(key: String, old: Any, new: Any)] = []
    /// In ascending order, each with the key of the element before it; empty for the first.
    var insertions: [(key: String, value: Any, previous: String)] = []
}

/// Entities that can be compared with others without looking at those that both share.
protocol ComparableEntities {
    /// Nil if the whole collection has to be compared: the other value is of another type, elements have moved, or
    /// different ids may have the same text.
    func differingElements(from new: Any) -> DifferingElements?
}

extension Relux.Entities: ComparableEntities where Element: Equatable {
    func differingElements(from new: Any) -> DifferingElements? {
        guard let new = new as? Self, let sample = first ?? new.first, hasText(of: sample.id) else { return nil }
        let differences = new.differences(from: self)
        guard differences.moves.isEmpty else { return nil }
        func key(_ element: Element) -> String { ValueShape.idKey(of: element, inObject: false) ?? "" }
        var parts = DifferingElements()
        parts.removals = differences.removals.map { key(self[$0]) }
        parts.updates = differences.updates.map { (key(new[$0.to]), self[$0.from], new[$0.to]) }
        parts.insertions = differences.insertions.map { position in
            (key(new[position]), new[position], position == 0 ? "" : key(new[position - 1]))
        }
        return parts
    }
}

/// Whether all values of the type of an id have texts of their own, as far as its structure tells.
func hasText(of id: Any) -> Bool {
    if id is any LosslessStringConvertible || id is UUID { return true }
    let mirror = Mirror(reflecting: id)
    // A system type's text is its description: that of a date has no fractions of a second.
    guard mirror.displayStyle == .struct, !mirror.children.isEmpty, !TypeName(of: type(of: id)).isSystem
    else { return false }
    return mirror.children.allSatisfy { hasText(of: $0.value) }
}
