/// Instances that follow a state, bound to its cell.
///
/// - Isolation: The core's.
protocol AnyChildrenBinding: AnyObject {
    /// Identifies this among those that hold an instance.
    var number: UInt64 { get }

    /// The scope in which the instances are registered, which holds this.
    var scope: ScopeNode { get }

    /// The instances that this holds, in no particular order.
    var held: [ModuleRegistration] { get }

    /// Whether this holds an instance for an element that occurs in no other list.
    func holdsOccurrence(_ child: ModuleRegistration) -> Bool

    /// Compares the ids with the previous ones, and notes the instances to be removed and those to be added.
    ///
    /// - Returns: Whether there are any.
    func compare() -> Bool

    /// Holds the noted instances that exist already, so that they survive when another list gives them up.
    func adopt()

    /// Releases the instances that are no longer wanted.
    ///
    /// - Returns: Those that this has held.
    func releaseUnwanted() -> [ModuleRegistration]

    /// The registration of the next of the noted instances.
    ///
    /// - Parameter depth: The number of bindings whose instances are being added, this one included.
    /// - Returns: Nil if there is none left.
    func nextRegistration(at depth: Int) -> PendingRegistration?

    /// Leaves out the noted instances that have not been added yet.
    func leaveOut()

    /// Makes new modules for held instances whose modules an earlier version of this binding has made.
    ///
    /// - Parameter earlier: The instances that were made earlier, without those that are held here afterwards.
    func replacements(of earlier: inout Set<ObjectIdentifier>) -> [ChildReplacement]

    /// Stops following. Its instances and the loads under way are no longer wanted. Breaks the cycle with the cell.
    func disconnect()
}

typealias ChildReplacement = (module: any Relux.Module, child: ModuleRegistration)

final class ChildrenBinding<Body: ChildrenBody>: AnyChildrenBinding {
    /// An id of the state, with the instance that it has led to.
    private struct Child {
        /// How often the id occurs. It counts once.
        var occurrences = 0
        /// Nil until it is registered, or if it couldn't be.
        var registration: ModuleRegistration?
        /// The registration that is under way.
        var load: UInt64?
    }

    let number: UInt64
    private let body: Body
    private let cell: StateCell<Body.S>
    unowned let scope: ScopeNode
    private unowned let modules: Modules
    private let site: Relux.CallSite
    private var isConnected = true
    private var last: Body.Selection?
    private var lastElements: [Body.Element] = []
    private var children: [AnySendableHashable: Child] = [:]
    /// The instances that have yet to be given up.
    private var unwanted: [ModuleRegistration] = []
    /// The elements whose instances have yet to be added, the next one last.
    private var noted: [Body.Element] = []

    init(_ body: Body, of cell: StateCell<Body.S>, in scope: ScopeNode, _ modules: Modules, at site: Relux.CallSite) {
        (self.body, self.cell, self.scope, self.site) = (body, cell, scope, site)
        (number, self.modules) = (modules.nextSerial(), modules)
    }

    var held: [ModuleRegistration] { children.values.compactMap(\.registration) + unwanted }

    func compare() -> Bool {
        guard isConnected else { return false }
        let selection = body.select(cell.value)
        guard selection != last else { return false }
        let elements = body.elements(selection)
        // Comparing two ids is much cheaper than looking one up, so that adding one to a long list costs little.
        let (start, end) = body.commonEnds(lastElements, elements)
        let old = lastElements[start..<lastElements.count - end]
        let new = elements[start..<elements.count - end]
        (last, lastElements) = (selection, elements)
        for element in old { children[id(of: element)]?.occurrences -= 1 }
        for element in new {
            let id = id(of: element)
            let child = children[id]
            children[id, default: Child()].occurrences += 1
            if child == nil {
                noted.append(element)
            } else if child?.occurrences != 0 {
                let address = ScopeAddress(of: type(of: make(element)), id: id, in: scope.address)
                modules.reporter.refused(.duplicateChild(Relux.Scope(modules.readers.core, address)), at: site)
            }
        }
        for id in old.map(id(of:)) where children[id]?.occurrences == 0 { giveUp(children.removeValue(forKey: id)) }
        noted.reverse()
        return !noted.isEmpty || !unwanted.isEmpty
    }

    /// The id under which an element is kept, also if it isn't equal to itself.
    private func id(of element: Body.Element) -> AnySendableHashable { .init(unchecked: body.id(element)) }

    private func giveUp(_ child: Child?) {
        if let registration = child?.registration { unwanted.append(registration) }
        if let load = child?.load { modules.abandon(load) }
    }

    func adopt() {
        guard scope.hasInstances else { return }
        let missing = noted.reversed().filter { element in
            let (module, id) = (make(element), id(of: element))
            guard module.instanceID == id, let existing = scope.registration(of: type(of: module), id: id) else {
                return true
            }
            modules.reporter.tell { $0.moduleShared(existing.module) }
            existing.hold(number)
            end(.success([existing]), of: element)
            return false
        }
        noted = missing.reversed()
    }

    func releaseUnwanted() -> [ModuleRegistration] {
        defer { unwanted = [] }
        for registration in unwanted {
            registration.release(number)
            registration.content.removeDismissal(of: number)
        }
        return unwanted.sorted { $0.generation < $1.generation }
    }

    func nextRegistration(at depth: Int) -> PendingRegistration? {
        guard let element = noted.popLast() else { return nil }
        let (module, id, load) = (make(element), id(of: element), modules.nextSerial())
        let blueprint = ModuleBlueprint(module)
        children[id]?.load = load
        return PendingRegistration(
            number: load, modules: [blueprint], holder: number, site: site,
            scope: { () throws(Relux.StoreError) in
                guard depth <= Relux.Children.depthLimit else {
                    throw .nestedWithoutEnd(type(of: module), limit: Relux.Children.depthLimit)
                }
                guard module.instanceID == id else {
                    throw .childWithOtherID(type(of: module), requested: id.description, found: "\(module.id)")
                }
                let persistence = self.counts(id) ? blueprint.persistence : []
                if let saved = persistence.first(where: { $0.instanceID.map { AnySendableHashable($0) } == id }) {
                    throw .savedByEntry(saved.state, in: type(of: module))
                }
                // The id may go while its states are being loaded.
                return self.children[id]?.load == load ? self.scope : nil
            },
            whenOver: { if self.children[id]?.load == load { self.end($0, of: element) } }
        )
    }

    /// Whether the state has counted an id that the next process will give to something else.
    private func counts(_ id: AnySendableHashable) -> Bool {
        guard !modules.ignoresPersistence, modules.savings.saving(of: cell) == nil else { return false }
        return (cell.value as? any CountingState)?.hasCounted(id) == true
    }

    func leaveOut() { noted = [] }

    /// The registration of a child has ended.
    private func end(_ result: Result<[ModuleRegistration], Relux.StoreError>, of element: Body.Element) {
        children[id(of: element)]?.load = nil
        switch result {
        case .success(let listed):
            children[id(of: element)]?.registration = listed.first
            guard let child = listed.first else { return }
            if let dismiss = body.dismiss {
                let id = body.id(element)
                let dismissal = AdditionalReducer<Body.S, Relux.Dismissal>(of: cell, in: cell.owner) { state, _ in
                    dismiss(&state, id)
                }
                child.content.addDismissal(dismissal, of: number)
            }
            reportSharing(of: child, for: element)
        case .failure(let error): modules.reporter.refused(.childNotRegistered(error), at: site)
        }
    }

    private func reportSharing(of child: ModuleRegistration, for element: Body.Element) {
        guard element is any OccurringOnce, child.holders.count > 1 else { return }
        let others = scope.ownRegistrations.flatMap(\.children).filter { $0.number != number }
        guard others.contains(where: { $0.holdsOccurrence(child) }),
            let name = child.content.name(in: modules.readers.core)
        else { return }
        modules.reporter.refused(.sharedChild(name), at: site)
    }

    func holdsOccurrence(_ child: ModuleRegistration) -> Bool {
        Body.Element.self is any OccurringOnce.Type
            && child.id.flatMap { children[$0]?.registration } === child
    }

    private func make(_ element: Body.Element) -> any Relux.Module & Identifiable<Body.ID> {
        body.make(element, cell.value, modules.readers.reader(at: scope))
    }

    func replacements(of earlier: inout Set<ObjectIdentifier>) -> [ChildReplacement] {
        guard !earlier.isEmpty else { return [] }
        return lastElements.compactMap { element in
            guard let child = children[id(of: element)]?.registration,
                earlier.remove(ObjectIdentifier(child)) != nil
            else { return nil }
            return (make(element), child)
        }
    }

    func disconnect() {
        isConnected = false
        cell.children.remove(number)
        for child in children.values.sorted(by: { $0.load ?? 0 < $1.load ?? 0 }) { giveUp(child) }
        (children, noted) = ([:], [])
    }
}
