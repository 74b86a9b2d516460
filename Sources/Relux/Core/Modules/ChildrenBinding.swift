/// Instances that follow a state, bound to its cell.
///
/// - Isolation: The core's.
protocol AnyChildrenBinding: AnyObject {
    /// Identifies this among those that hold an instance.
    var number: UInt64 { get }

    /// The scope in which the instances are registered, which holds this.
    var scope: ScopeNode { get }

    /// The state that this follows.
    var followedCell: AnyStateCell { get }

    /// The instances that this holds, in no particular order.
    var held: [ModuleRegistration] { get }

    /// Whether this holds an instance for an element that occurs in no other list.
    func holdsOccurrence(_ child: ModuleRegistration) -> Bool

    /// Compares the ids with the previous ones, and notes the instances to be removed and those to be added.
    ///
    /// - Returns: Whether there are any.
    func compare() -> Bool

    /// The registrations of noted instances that exist already. Holding them lets them survive when another list gives
    /// them up.
    func adoptions(_ nextSerial: () -> UInt64) -> [PendingRegistration]

    /// Gives up the noted instances.
    ///
    /// - Returns: Those that this has held.
    func releaseUnwanted() -> [ModuleRegistration]

    /// The registration of the next of the noted instances.
    ///
    /// - Parameter depth: The number of bindings whose instances are being added, this one included.
    /// - Returns: Nil if there is none left.
    func nextRegistration(at depth: Int, _ nextSerial: () -> UInt64) -> PendingRegistration?

    /// The loads of ids that have gone, which are no longer wanted.
    func removeVainLoads() -> [UInt64]

    /// Gives up all instances, because the module that listed this is being removed.
    ///
    /// - Returns: Those that were held.
    func releaseAll() -> [ModuleRegistration]

    /// Makes new modules for held instances whose modules an earlier version of this binding has made.
    ///
    /// - Parameter earlier: The instances that were made earlier, without those that are held here afterwards.
    func replacements(of earlier: inout Set<ObjectIdentifier>) -> [ChildReplacement]

    /// What dismisses an instance; nil if this doesn't hold it, or if its state has no way to remove it.
    func dismissal(of instance: ScopeNode) -> AnyReducerBinding?

    /// Stops following. The loads under way are no longer wanted.
    func disconnect()
}

struct ChildReplacement {
    let module: any Relux.Module
    /// The generation of the instance.
    let generation: UInt64
    let scope: ScopeNode
    let site: Relux.CallSite
}

final class ChildrenBinding<Body: ChildrenBody>: AnyChildrenBinding {
    let number: UInt64
    private let body: Body
    private let cell: StateCell<Body.S>
    unowned let scope: ScopeNode
    private let readers: Readers
    private let site: Relux.CallSite
    private var isConnected = true
    private var last: Body.Selection?
    private var lastElements: [Body.Element] = []
    /// Whether an id may occur twice.
    private var hasRepeats = false
    /// The children that the ids of the state have led to; nil for one that couldn't be registered.
    private var children: [Body.ID: ModuleRegistration?] = [:]
    /// The registrations of children whose states are being loaded. Until it is loaded, a child counts as not
    /// registered.
    private var loads: [Body.ID: UInt64] = [:]
    /// Loads that are no longer wanted.
    private var vainLoads: [UInt64] = []
    /// The instances that have yet to be given up.
    private var unwanted: [ModuleRegistration] = []
    /// The elements whose instances have yet to be added, the next one last.
    private var noted: [Body.Element] = []

    init(
        _ body: Body, of cell: StateCell<Body.S>, in scope: ScopeNode, number: UInt64, _ readers: Readers,
        at site: Relux.CallSite
    ) {
        (self.body, self.cell, self.scope, self.site) = (body, cell, scope, site)
        (self.number, self.readers) = (number, readers)
    }

    var followedCell: AnyStateCell { cell }

    var held: [ModuleRegistration] { children.values.compactMap { $0 } + unwanted }

    func compare() -> Bool {
        guard isConnected else { return false }
        let selection = body.select(cell.value)
        guard selection != last else { return false }
        let elements = body.elements(selection)
        let (old, new) = changedParts(of: lastElements, and: elements)
        (last, lastElements) = (selection, elements)
        guard !old.isEmpty || !new.isEmpty else { return false }
        // As long as no id occurs twice, one that has a child and isn't among the old ones is one of the others.
        let others =
            hasRepeats ? Set((elements[..<new.startIndex] + elements[new.endIndex...]).map { body.id($0) }) : []
        let gone = Set(old.map { body.id($0) })
        noted = []
        hasRepeats = hasRepeats && !others.isEmpty
        var wanted: Set<Body.ID> = []
        for element in new {
            let id = body.id(element)
            let isOpen = children[id] != nil
            guard wanted.insert(id).inserted, !(isOpen && (others.contains(id) || !gone.contains(id))) else {
                hasRepeats = true
                readers.reporter.refused(.duplicateChild(name(of: element)), at: site)
                continue
            }
            if !isOpen { noted.append(element) }
        }
        for element in old {
            let id = body.id(element)
            guard !wanted.contains(id), !others.contains(id), let child = children.removeValue(forKey: id) else {
                continue
            }
            if let child { unwanted.append(child) }
            if let load = loads.removeValue(forKey: id) { vainLoads.append(load) }
        }
        noted.reverse()
        return !noted.isEmpty || !unwanted.isEmpty || !vainLoads.isEmpty
    }

    /// The parts in which two lists differ, without what they begin and end with in common.
    ///
    /// Comparing two ids is much cheaper than looking one up, so that adding one to a long list costs little.
    private func changedParts(
        of old: [Body.Element], and new: [Body.Element]
    ) -> (old: ArraySlice<Body.Element>, new: ArraySlice<Body.Element>) {
        var start = 0
        var (oldEnd, newEnd) = (old.count, new.count)
        while start < oldEnd, start < newEnd, body.id(old[start]) == body.id(new[start]) { start += 1 }
        while oldEnd > start, newEnd > start, body.id(old[oldEnd - 1]) == body.id(new[newEnd - 1]) {
            oldEnd -= 1
            newEnd -= 1
        }
        return (old[start..<oldEnd], new[start..<newEnd])
    }

    func adoptions(_ nextSerial: () -> UInt64) -> [PendingRegistration] {
        guard isConnected, scope.hasInstances else { return [] }
        var adopted: [PendingRegistration] = []
        noted.removeAll { element in
            let module = make(element)
            let id = AnySendableHashable(unchecked: body.id(element))
            guard scope.group(of: type(of: module))?.instance(id) != nil else { return false }
            if let registration = registration(of: module, for: element, at: 0, nextSerial) {
                adopted.append(registration)
            }
            return true
        }
        return adopted.reversed()
    }

    func releaseUnwanted() -> [ModuleRegistration] {
        guard !unwanted.isEmpty else { return [] }
        defer { unwanted = [] }
        return release(unwanted)
    }

    func nextRegistration(at depth: Int, _ nextSerial: () -> UInt64) -> PendingRegistration? {
        while isConnected, let element = noted.popLast() {
            let module = make(element)
            if let next = registration(of: module, for: element, at: depth, nextSerial) { return next }
        }
        return nil
    }

    func removeVainLoads() -> [UInt64] {
        defer { vainLoads = [] }
        return vainLoads
    }

    /// The registration of a child; nil if that is refused, which is reported.
    private func registration(
        of module: some Relux.Module & Identifiable<Body.ID>, for element: Body.Element, at depth: Int,
        _ nextSerial: () -> UInt64
    ) -> PendingRegistration? {
        let id = body.id(element)
        children[id] = .some(nil)
        func refuse(because error: Relux.StoreError) -> PendingRegistration? {
            readers.reporter.refused(.childNotRegistered(error), at: site)
            return nil
        }
        guard depth <= Relux.Children.depthLimit else {
            return refuse(because: .nestedWithoutEnd(type(of: module), limit: Relux.Children.depthLimit))
        }
        guard module.id == id else {
            return refuse(
                because: .childWithOtherID(type(of: module), requested: "\(id)", found: "\(module.id)"))
        }
        let load = nextSerial()
        loads[id] = load
        return PendingRegistration(
            number: load, modules: [ModuleBlueprint(module)], holder: holder, site: site,
            // The id may go while its states are being loaded.
            scope: { self.loads[id] == load ? self.scope : nil },
            whenOver: { self.end(load, of: element, $0) }
        )
    }

    private func end(
        _ load: UInt64, of element: Body.Element, _ result: Result<[ModuleRegistration], Relux.StoreError>
    ) {
        let id = body.id(element)
        guard loads[id] == load else { return }
        loads[id] = nil
        switch result {
        case .success(let listed):
            children[id] = .some(listed.first)
            if let child = listed.first { reportSharing(of: child, for: element) }
        case .failure(let error): readers.reporter.refused(.childNotRegistered(error), at: site)
        }
    }

    private func reportSharing(of child: ModuleRegistration, for element: Body.Element) {
        guard element is any OccurringOnce, child.holders.keys.contains(where: { $0.kind == .children && $0 != holder })
        else { return }
        let others = scope.ownRegistrations.flatMap(\.children).filter { $0.number != number }
        guard others.contains(where: { $0.holdsOccurrence(child) }) else { return }
        readers.reporter.refused(.sharedChild(child.content.name(in: readers.core) ?? name(of: element)), at: site)
    }

    func holdsOccurrence(_ child: ModuleRegistration) -> Bool {
        Body.Element.self is any OccurringOnce.Type
            && child.id?.value(as: Body.ID.self).flatMap { children[$0] ?? nil } === child
    }

    private func make(_ element: Body.Element) -> any Relux.Module & Identifiable<Body.ID> {
        body.make(element, cell.value, readers.reader(at: scope))
    }

    private var holder: ModuleRegistration.Holder { ModuleRegistration.Holder(kind: .children, number: number) }

    private func release(_ registrations: [ModuleRegistration]) -> [ModuleRegistration] {
        for registration in registrations { registration.release(holder) }
        return registrations.sorted { $0.generation < $1.generation }
    }

    func replacements(of earlier: inout Set<ObjectIdentifier>) -> [ChildReplacement] {
        guard !earlier.isEmpty else { return [] }
        let state = cell.value
        return body.elements(body.select(state)).compactMap { element in
            guard let child = children[body.id(element)] ?? nil, earlier.remove(ObjectIdentifier(child)) != nil
            else { return nil }
            return ChildReplacement(
                module: make(element), generation: child.generation, scope: scope, site: site)
        }
    }

    func releaseAll() -> [ModuleRegistration] {
        defer { (children, unwanted, noted) = ([:], [], []) }
        return release(held)
    }

    func dismissal(of instance: ScopeNode) -> AnyReducerBinding? {
        guard let dismiss = body.dismiss, let id = instance.address?.id.value(as: Body.ID.self),
            (children[id] ?? nil)?.instance === instance
        else { return nil }
        return AdditionalReducer<Body.S, Relux.Dismissal>(of: cell, in: cell.owner) { state, _ in dismiss(&state, id) }
    }

    func disconnect() {
        isConnected = false
        vainLoads += loads.values
        loads = [:]
    }

    private func name(of element: Body.Element) -> Relux.Scope {
        let module = type(of: make(element))
        let id = AnySendableHashable(unchecked: body.id(element))
        return Relux.Scope(readers.core, ScopeAddress(of: module, id: id, in: scope.address))
    }
}
