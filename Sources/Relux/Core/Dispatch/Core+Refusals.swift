/// Where a caller dispatches, and whether it may.
extension Core {
    /// The scope in which a caller dispatches; nil if there is no such instance, which is reported.
    ///
    /// - Parameters:
    ///   - isPerformed: Whether the action is performed, for the report.
    ///   - result: What the caller receives if there is no such instance.
    func scope(
        of origin: Origin, for action: some Relux.Action, isPerformed: Bool = false, at site: Relux.CallSite,
        _ result: inout DispatchResult
    ) -> ScopeNode? {
        switch place(of: origin) {
        case .scope(let scope):
            return scope
        case .missing(let missing):
            // The run of an instance that is gone hears that it can't write any more.
            if mayWrite(action, of: origin, at: site) {
                reporter.refused(.noInstance(missing), action: action, isPerformed: isPerformed, at: site)
                result.disposition = .noInstance(missing)
            } else {
                result = refused()
            }
            return nil
        }
    }

    /// Takes an action in the scope of its caller.
    ///
    /// - Parameter isAwaited: Whether the caller awaits what it triggers.
    @discardableResult
    func dispatch(
        _ action: some Relux.Action, of origin: Origin, at site: Relux.CallSite, isAwaited: Bool = false
    ) -> DispatchResult {
        var result = DispatchResult()
        guard let scope = scope(of: origin, for: action, at: site, &result) else { return result }
        return dispatch(action, Submission(origin, in: scope, at: site, isAwaited: isAwaited))
    }

    /// Takes actions in the scope of their caller, in one step.
    func dispatch(batch: [any Relux.Action], of origin: Origin, at site: Relux.CallSite) -> DispatchResult {
        var result = DispatchResult()
        guard let first = batch.first, let scope = scope(of: origin, for: first, at: site, &result) else {
            return result
        }
        return dispatch(batch: batch, Submission(origin, in: scope, at: site))
    }

    /// Takes actions of one type in the scope of their caller, in one step.
    func dispatch<C: Collection>(
        contentsOf batch: C, of origin: Origin, at site: Relux.CallSite
    ) -> DispatchResult where C.Element: Relux.Action {
        var result = DispatchResult()
        guard let first = batch.first, let scope = scope(of: origin, for: first, at: site, &result) else {
            return result
        }
        return dispatch(contentsOf: batch, Submission(origin, in: scope, at: site))
    }

    /// What the caller of a refused action receives.
    func refused() -> DispatchResult {
        DispatchResult(disposition: phase == .open ? .refused : .storeShutDown)
    }

    /// Whether the store and the run in question still write. Otherwise, the refusal is reported.
    func mayWrite(_ action: some Relux.Action, of origin: Origin, at site: Relux.CallSite) -> Bool {
        guard phase == .open else {
            reporter.refused(.storeShutDown, action: action, at: site)
            return false
        }
        return mayWrite(origin, action, at: site)
    }

    /// Whether a run may still write. The only place that decides this: inside the store, as the write is taken.
    ///
    /// - Parameter action: What it wants to write. Evaluated only for the report.
    func mayWrite(
        _ origin: Origin, _ action: @autoclosure () -> (any Relux.Action)? = nil, at site: Relux.CallSite?
    ) -> Bool {
        guard origin.run != 0, !runs.isLive(origin.run) else { return true }
        // A run that is gone without a context to its name has left its task behind, which now acts for nobody.
        guard let record = runs.record(of: origin.run) ?? origin.handle?.record else { return true }
        reporter.refused(.staleWrite(record), action: action(), at: site)
        return false
    }
}
