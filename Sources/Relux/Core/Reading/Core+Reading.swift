/// Reading states.
extension Core {
    /// The place that a caller names: a scope, or an instance that doesn't exist.
    enum Place {
        case scope(ScopeNode)
        case missing(Relux.Scope)
    }

    /// Looks up where a call is made.
    @inline(__always)
    func place(of origin: Origin) -> Place {
        guard let address = origin.scope else { return .scope(root) }
        // A run stays in its own instance, even if there is a new one with the same id.
        if let scope = address.resolve(in: self), origin.handle.map({ $0.scopeSerial == scope.serial }) ?? true {
            return .scope(scope)
        }
        return .missing(Relux.Scope(self, address))
    }

    /// The scope of a call; nil if there is no such instance, which is reported.
    func scope(of origin: Origin, at site: Relux.CallSite?) -> ScopeNode? {
        switch place(of: origin) {
        case .scope(let scope): return scope
        case .missing(let missing):
            reporter.refused(phase == .open ? .noInstance(missing) : .storeShutDown, at: site)
            return nil
        }
    }

    /// A reader to lend to a closure.
    func reader(at place: Place, noting log: ReadLog? = nil) -> Relux.StateReader {
        Relux.StateReader(in: self, at: place, reporter, isOpen: phase == .open, noting: log)
    }

    /// The current value of a state. A missing state is reported and thrown.
    func state<S: Relux.State>(
        of type: S.Type, as origin: Origin, at site: Relux.CallSite
    ) -> Result<S, Relux.StoreError> {
        do throws(Relux.StoreError) {
            return .success(try reader(at: place(of: origin)).state(of: type, at: site))
        } catch {
            return .failure(error)
        }
    }

    /// The cell of a state as an iterator knows it: the one it started with, or the current one at the start.
    ///
    /// - Returns: Nil if the cell is gone, or if there is none to start with, which is reported.
    func cell<S: Relux.State>(
        of type: S.Type, in scope: ScopeNode, since reads: [ReadLog.Read]?, at site: Relux.CallSite
    ) -> StateCell<S>? {
        if let mark = reads?.first?.mark { return scope.cell(of: type, numbered: mark.serial) }
        if let cell = scope.cell(of: type) { return cell }
        reporter.refused(phase == .open ? .stateNotOwned(type) : .storeShutDown, at: site)
        return nil
    }

    // MARK: Waiting readers

    /// Lets a reader wait until anything that was read changes, appears, or disappears, or the scope is closed.
    func wait<Value>(
        for reads: [ReadLog.Read], in scope: ScopeNode, if check: StateChangeCheck? = nil
    ) -> StatePull<Value> {
        .wait(signal(for: reads, in: scope, if: check), reads: reads)
    }

    /// A signal that fires when anything that was read changes, appears, or disappears, or when the scope is closed.
    ///
    /// - Parameters:
    ///   - reads: What was read; with a check, the state that the check is about.
    ///   - check: Decides about each touch; nil if each counts.
    func signal(for reads: [ReadLog.Read], in scope: ScopeNode, if check: StateChangeCheck? = nil) -> Signal {
        let signal = Signal(keeping: check)
        for read in reads {
            let (group, cells, key) = sources(of: read.subject, in: scope)
            group?.readers.append(signal, for: ())
            for cell in cells { cell.waiters.append(signal, for: check.map { .passUnretained($0) }) }
            if group == nil, cells.isEmpty { awaited.append(signal, for: key) }
        }
        // A selection that reads nothing never changes, but it ends with the store.
        if reads.isEmpty { awaited.append(signal, for: ObjectIdentifier(Never.self)) }
        scope.add(reader: signal)
        return signal
    }

    /// Forgets a signal whose waiter was cancelled.
    func forget(_ signal: Signal, reads: [ReadLog.Read], of origin: Origin) {
        // Nobody awaits it any more, so firing it only marks it.
        signal.fire()
        awaited.noteCancellation()
        guard case .scope(let scope) = place(of: origin) else { return }
        for read in reads {
            let (group, cells, _) = sources(of: read.subject, in: scope)
            group?.readers.noteCancellation()
            for cell in cells { cell.waiters.noteCancellation() }
        }
        scope.noteCancelledReader()
    }

    /// What a reader in a scope waits for, and the type that is missing if there is nothing.
    // inline(never): this would otherwise be copied to each of its calls, and it allocates anyway.
    @inline(never)
    private func sources(
        of subject: ReadLog.Subject, in scope: ScopeNode
    ) -> (group: InstanceGroup?, cells: [AnyStateCell], key: ObjectIdentifier) {
        switch subject {
        case .state(let key): return (nil, scope.cell(of: key).map { [$0] } ?? [], key)
        case .instances(let module, let state):
            let group = scope.innermostGroup(of: module)
            return (group, group?.cells(of: state) ?? [], module)
        }
    }

    /// Wakes the readers that wait for states that a module has just added to a scope.
    func wakeReaders(ofAdded added: [AnyStateCell], in scope: ScopeNode) {
        for cell in added where !scope.isRoot { scope.parent?.cell(of: ObjectIdentifier(cell.state))?.waiters.fire() }
        guard !awaited.isEmpty else { return }
        let keys = Set(added.map { ObjectIdentifier($0.state) })
        awaited.fire { keys.contains($0) }
    }

    /// Wakes the readers that wait for the first instance of a module in a scope.
    func wakeReaders(ofFirst module: any Relux.Module.Type, in scope: ScopeNode) {
        scope.parent?.innermostGroup(of: ObjectIdentifier(module))?.readers.fire()
        awaited.fire { $0 == ObjectIdentifier(module) }
    }

    // MARK: Streams

    /// Fills a stream with the actions of the scope that takes them now, as seen from the caller's scope.
    func subscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>, as origin: Origin) {
        guard phase == .open, let scope = scope(of: origin, at: nil) else { return buffer.finish() }
        scope.taker(of: A.self).scope.makeRoute(for: A.self, in: self).add(buffer)
        scope.add(buffer)
    }

    func unsubscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>, as origin: Origin) {
        guard case .scope(let scope) = place(of: origin) else { return }
        let key = ObjectIdentifier(A.self)
        for scope in scope.outward {
            guard let route = scope.routes[key], route.remove(stream: buffer) else { continue }
            scope.removeRouteIfUnused(key, in: self)
            break
        }
        scope.remove(buffer)
    }
}
