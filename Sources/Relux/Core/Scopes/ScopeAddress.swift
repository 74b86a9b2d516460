/// Where an instance is found: its module and id, and the address of the scope around it.
///
/// The root has no address. An address keeps no scope alive, but remembers the one that it led to last, because looking
/// up an id costs as much as a dispatch. It leads to whichever instance has the id at the time.
final class ScopeAddress: Sendable {
    /// The scope around the instance; nil for the root.
    let parent: ScopeAddress?
    let module: any Relux.Module.Type
    let id: AnySendableHashable
    // nonisolated(unsafe): read and written only inside the core, as the methods below demand.
    // exclusivity(unchecked): none of them calls code that could come back here. The check would cost a tenth of a
    // dispatch.
    @exclusivity(unchecked) private nonisolated(unsafe) var node: ScopeNode?

    init(of module: any Relux.Module.Type, id: AnySendableHashable, in parent: ScopeAddress?) {
        (self.module, self.id, self.parent) = (module, id, parent)
    }

    /// The scope, if it was found before and is still open.
    @inline(__always)
    func known(in core: isolated Core) -> ScopeNode? {
        guard let node, node.isOpen else { return nil }
        return node
    }

    /// The route of an action in the scope; nil if the scope was not found before, or if the action may concern more.
    @inline(__always)
    func fastRoute<A: Relux.Action>(for action: A.Type, in core: isolated Core) -> RouteReference? {
        guard let node else { return nil }
        // Unmanaged: the property holds the node, and a retain and release are a third of a dispatch.
        return Unmanaged.passUnretained(node)._withUnsafeGuaranteedRef { $0.isOpen ? $0.fastRoute(for: action) : nil }
    }

    /// The scope; nil if there is no such instance now.
    ///
    /// - Complexity: O(1) if it was found before, otherwise one lookup for each scope around it.
    func resolve(in core: isolated Core) -> ScopeNode? {
        if let known = known(in: core) { return known }
        var unknown = [self]
        var scope = core.root
        while let parent = unknown.last?.parent {
            if let known = parent.known(in: core) {
                scope = known
                break
            }
            unknown.append(parent)
        }
        while let address = unknown.popLast() {
            address.node = scope.group(of: address.module)?.node(for: address.id)
            guard let found = address.node else { return nil }
            scope = found
        }
        return scope
    }

    /// Notes the scope that has just been opened, or that it was closed.
    func note(_ node: ScopeNode?, in core: isolated Core) { self.node = node }
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
    /// The way from the root, such as `Inbox.Module["work"]/Chat.Module["c1"]`.
    var description: String {
        var parts: [String] = []
        var next: ScopeAddress? = self
        while let address = next {
            parts.append("\(shortName(of: address.module))[\(address.id.debugDescription)]")
            next = address.parent
        }
        return parts.reversed().joined(separator: "/")
    }
}
