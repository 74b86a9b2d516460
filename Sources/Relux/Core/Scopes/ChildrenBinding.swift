/// Instances that follow a state, bound to its cell.
///
/// - Isolation: The core's.
protocol AnyChildrenBinding: AnyObject {
    /// Identifies this among those that hold an instance.
    var number: UInt64 { get }

    /// Identifies the scope in which the instances are registered.
    var scopeID: ObjectIdentifier { get }

    /// The instances that this holds, in no particular order.
    var held: [ModuleRegistration] { get }

    /// Compares the ids with the previous ones, and notes the instances to be removed and those to be added.
    ///
    /// - Returns: Whether there are any.
    func compare(in core: isolated Core) -> Bool

    /// Holds the noted instances that exist already, so that they survive when another list gives them up.
    func adopt(in core: isolated Core)

    /// Gives up the noted instances, and removes those that nothing else holds.
    func removeUnwanted(in core: isolated Core)

    /// Adds one of the noted instances.
    ///
    /// - Returns: False if there was none.
    func addNext(in core: isolated Core) -> Bool

    /// Gives up all instances, because the module that listed this is being removed.
    ///
    /// - Returns: Those that were held.
    func releaseAll() -> [ModuleRegistration]

    /// Makes the modules that are to replace those of held instances which an earlier version of this has made.
    ///
    /// - Parameter earlier: The instances that were made earlier, without those that are held here afterwards.
    func replacements(of earlier: inout Set<ObjectIdentifier>) -> [ChildReplacement]

    /// What dismisses an instance; nil if this doesn't hold it, or if its state has no way to remove it.
    func dismissal(of child: ModuleRegistration) -> AnyReducerBinding?

    /// Stops following, and cancels the loads under way.
    func disconnect(in core: isolated Core)
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
    let scopeID: ObjectIdentifier
    private let body: Body
    private let cell: StateCell<Body.S>
    /// The scope in which the instances are registered, which holds this.
    private unowned let scope: ScopeNode
    private let site: Relux.CallSite
    private var isConnected = true
    private var last: Body.Selection?
    private var lastElements: [Body.Element] = []
    /// What the ids of the state have led to; nil for a child that couldn't be registered.
    private var children: [Body.ID: ModuleRegistration?] = [:]
    /// The registrations of children whose states are being loaded. Until it is loaded, a child counts as not
    /// registered.
    private var loads: [Body.ID: UInt64] = [:]
    /// The instances that have yet to be given up.
    private var unwanted: [ModuleRegistration] = []
    /// The elements whose instances have yet to be added, the next one last.
    private var noted: [Body.Element] = []

    init(_ body: Body, of cell: StateCell<Body.S>, in scope: ScopeNode, number: UInt64, at site: Relux.CallSite) {
        (self.body, self.cell, self.scope, self.site) = (body, cell, scope, site)
        (self.number, scopeID) = (number, ObjectIdentifier(scope))
    }

    var held: [ModuleRegistration] { children.values.compactMap { $0 } + unwanted }

    func compare(in core: isolated Core) -> Bool {
        guard isConnected else { return false }
        let selection = body.select(cell.value)
        guard selection != last else { return false }
        let elements = body.elements(selection)
        let (old, new) = changedParts(of: lastElements, and: elements)
        (last, lastElements) = (selection, elements)
        guard !old.isEmpty || !new.isEmpty else { return false }
        noted = []
        var wanted: Set<Body.ID> = []
        for element in new {
            let id = body.id(element)
            guard wanted.insert(id).inserted, !isRepeated(id, outside: new.indices, of: elements) else {
                core.reporter.refused(.duplicateChild(name(of: element, in: core)), at: site)
                continue
            }
            if children[id] == nil { noted.append(element) }
        }
        for element in old {
            let id = body.id(element)
            guard !wanted.contains(id), !isRepeated(id, outside: new.indices, of: elements),
                let child = children.removeValue(forKey: id)
            else { continue }
            if let child { unwanted.append(child) }
            if let load = loads.removeValue(forKey: id) { core.cancelLoads(of: load) }
        }
        noted.reverse()
        return !noted.isEmpty || !unwanted.isEmpty
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

    /// Whether an id that has a child also occurs in the parts of the list that haven't changed.
    private func isRepeated(_ id: Body.ID, outside changed: Range<Int>, of elements: [Body.Element]) -> Bool {
        guard children[id] != nil else { return false }
        return elements[..<changed.lowerBound].contains { body.id($0) == id }
            || elements[changed.upperBound...].contains { body.id($0) == id }
    }

    func adopt(in core: isolated Core) {
        guard isConnected, !scope.groups.isEmpty else { return }
        let existing = noted.filter { element in
            let module = type(of: body.make(element, cell.value))
            return scope.group(of: module)?.instance(AnySendableHashable(unchecked: body.id(element))) != nil
        }
        guard !existing.isEmpty else { return }
        for element in existing.reversed() { add(element, in: core) }
        noted.removeAll { children[body.id($0)] != nil }
    }

    func removeUnwanted(in core: isolated Core) {
        guard !unwanted.isEmpty else { return }
        defer { unwanted = [] }
        core.removeUnneeded(release(unwanted), awaitedBy: nil)
    }

    func addNext(in core: isolated Core) -> Bool {
        guard isConnected, let element = noted.popLast() else { return false }
        add(element, in: core)
        return true
    }

    private func add(_ element: Body.Element, in core: isolated Core) {
        let module = body.make(element, cell.value)
        let id = body.id(element)
        children[id] = .some(nil)
        func refuse(because error: Relux.StoreError) { core.reporter.refused(.childNotRegistered(error), at: site) }
        guard core.unfinishedChildren.count <= Relux.Children.depthLimit else {
            return refuse(because: .nestedWithoutEnd(type(of: module), limit: Relux.Children.depthLimit))
        }
        guard module.id == id else {
            return refuse(
                because: .childWithOtherID(type(of: module), requested: "\(id)", found: "\(module.id)"))
        }
        let load = core.nextSerial()
        loads[id] = load
        let registration = PendingRegistration(
            number: load, modules: [ModuleBlueprint(module)], holder: holder, site: site,
            // The id may go while its states are being loaded.
            scope: { self.loads[id] == load ? self.scope : nil },
            whenOver: { self.end(load, of: id, $0, in: core) }
        )
        core.finishLater(core.register(registration))
    }

    private func end(
        _ load: UInt64, of id: Body.ID, _ result: Result<[ModuleRegistration], Relux.StoreError>, in core: isolated Core
    ) {
        guard loads[id] == load else { return }
        loads[id] = nil
        switch result {
        case .success(let listed): children[id] = .some(listed.first)
        case .failure(let error): core.reporter.refused(.childNotRegistered(error), at: site)
        }
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
                module: body.make(element, state), generation: child.generation, scope: scope, site: site)
        }
    }

    func releaseAll() -> [ModuleRegistration] {
        defer { (children, unwanted, noted) = ([:], [], []) }
        return release(held)
    }

    func dismissal(of child: ModuleRegistration) -> AnyReducerBinding? {
        guard let dismiss = body.dismiss, let id = child.id?.value(as: Body.ID.self), children[id] ?? nil === child
        else { return nil }
        return ReducerBinding<Relux.Dismissal>(cell, of: cell.owner) { state, _ in dismiss(&state, id) }
    }

    func disconnect(in core: isolated Core) {
        isConnected = false
        for load in loads.values { core.cancelLoads(of: load) }
        loads = [:]
        cell.children.removeAll { $0 === self }
    }

    private func name(of element: Body.Element, in core: isolated Core) -> Relux.Scope {
        let module = type(of: body.make(element, cell.value))
        let id = AnySendableHashable(unchecked: body.id(element))
        return Relux.Scope(core, ScopeAddress(of: module, id: id, in: scope.address))
    }
}

extension Core {
    /// Brings the instances of some bindings up to date.
    ///
    /// One scope after another, so that the bindings of an instance that is removed are no longer asked: their closures
    /// may rely on its id.
    func follow(_ bindings: [any AnyChildrenBinding]) {
        var rest = bindings[...]
        while let scope = rest.first?.scopeID {
            update(rest.filter { $0.scopeID == scope })
            rest = rest.filter { $0.scopeID != scope }[...]
        }
    }

    /// Compares the bindings of one scope, and removes and adds their instances. An id that moves from one of the lists
    /// to another keeps its instance.
    private func update(_ bindings: [any AnyChildrenBinding]) {
        let changed = bindings.filter { $0.compare(in: self) }
        guard !changed.isEmpty else { return }
        if changed.count > 1 { for binding in changed { binding.adopt(in: self) } }
        for binding in changed { binding.removeUnwanted(in: self) }
        add(changed)
    }

    /// Adds the noted instances, each with those inside of it before the next.
    ///
    /// A stack of its own instead of recursion, because instances may be nested to any depth: the call that registers
    /// one of the instances leaves those inside of it to the outermost call.
    private func add(_ children: [any AnyChildrenBinding]) {
        let isOutermost = unfinishedChildren.isEmpty
        unfinishedChildren += children.reversed()
        guard isOutermost else { return }
        while let next = unfinishedChildren.last {
            if !next.addNext(in: self) { unfinishedChildren.removeLast() }
        }
    }
}
