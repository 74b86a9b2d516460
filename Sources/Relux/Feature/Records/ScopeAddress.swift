/// Where an instance is found: its module and id, and the address of the scope around it.
///
/// The root has no address. An address refers to the instance that has the id at the time of the call. It
/// remembers the last scope that it was resolved to, because looking up an id costs as much as a dispatch. It therefore
/// keeps a closed scope, which is empty, until it is resolved again.
final class ScopeAddress: Sendable {
    /// The scope around the instance; nil for the root.
    let parent: ScopeAddress?
    let module: any Relux.Module.Type
    let id: AnySendableHashable
    /// The scope, if it was found before.
    // nonisolated(unsafe): only the core reads and writes it, inside.
    nonisolated(unsafe) var node: ScopeNode?

    init(of module: any Relux.Module.Type, id: AnySendableHashable, in parent: ScopeAddress?) {
        (self.module, self.id, self.parent) = (module, id, parent)
    }

    /// The addresses of the scopes around the instance and its own, from the outside in.
    var path: [ScopeAddress] { Array(sequence(first: self) { $0.parent }).reversed() }
}

// Loops here and below, because instances may be nested to any depth.
extension ScopeAddress: Hashable {
    /// Whether both lead to the same instance.
    static func == (lhs: ScopeAddress, rhs: ScopeAddress) -> Bool {
        var (left, right): (ScopeAddress?, ScopeAddress?) = (lhs, rhs)
        while let one = left, let other = right {
            guard one !== other else { return true }
            guard one.module == other.module, one.id == other.id else { return false }
            (left, right) = (one.parent, other.parent)
        }
        return left == nil && right == nil
    }

    func hash(into hasher: inout Hasher) {
        var next: ScopeAddress? = self
        while let address = next {
            hasher.combine(ObjectIdentifier(address.module))
            hasher.combine(address.id)
            next = address.parent
        }
    }
}

extension ScopeAddress: CustomStringConvertible {
    /// The path from the root, such as `Inbox.Module["work"]/Chat.Module["c1"]`. Characters of an id that would have an
    /// effect on a terminal are escaped.
    var description: String {
        var parts: [String] = []
        var next: ScopeAddress? = self
        while let address = next {
            parts.append("\(shortName(of: address.module))[\(address.id.debugDescription.visible)]")
            next = address.parent
        }
        return parts.reversed().joined(separator: "/")
    }
}
