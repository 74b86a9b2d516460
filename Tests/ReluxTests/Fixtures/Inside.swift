@testable import Relux

/// Looks into what a part of the core keeps to itself. A count of what is left over needs no door in the part.
enum Inside {
    /// The value of a private property.
    static func value(of property: String, in owner: Any) -> Any? {
        Mirror(reflecting: owner).children.first {
            $0.label == property || $0.label == "$__lazy_storage_$_\(property)"
        }?
        .value
    }

    /// The number of elements of a private collection; nil if there is no such property.
    static func count(of property: String, in owner: Any) -> Int? {
        value(of: property, in: owner).map { collection in
            if let count = value(of: "count", in: collection) as? Int { return count }
            return Mirror(reflecting: collection).children.count
        }
    }
}

extension Core {
    /// The number of elements of a private collection of a part.
    func count(_ property: String, in part: Any) -> Int {
        guard let count = Inside.count(of: property, in: part) else {
            preconditionFailure("\(type(of: part)) has no \(property).")
        }
        return count
    }

    /// All scopes that are open.
    var scopes: [ScopeNode] { tree.root.subtree }

    /// The number of groups that wait for saves.
    var waitsForSaves: Int {
        savings.inOrder.reduce(0) { sum, saving in
            var plan = saving.plan
            return sum + plan.removeAllWaits().count
        }
    }

    /// All lanes: those of registered sagas, and those of policies with an id or a name.
    var lanes: [RunLane] {
        Core.lanes(of: runs) + tree.root.registrations.flatMap(\.allRunners).map(\.lane)
    }

    /// The lanes of policies with an id or a name.
    static func lanes(of runs: RunTable) -> [RunLane] {
        guard let lanes = Inside.value(of: "lanes", in: runs) as? [UInt64: [LaneKey: RunLane]] else {
            preconditionFailure("RunTable has no lanes.")
        }
        return lanes.values.flatMap(\.values)
    }
}
