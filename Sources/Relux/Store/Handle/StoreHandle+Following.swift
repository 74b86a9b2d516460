/// Values outside the store that follow its states, for user interfaces.
extension Relux.StoreHandle {
    /// Starts to follow a selection, with its present value.
    func follow<Value: Equatable & Sendable>(
        _ query: StateQuery<Value>, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> (follower: Follower<Value>, value: Value) {
        var result = Result<(follower: Follower<Value>, value: Value), Relux.StoreError>.failure(.insideStore(at: site))
        _ = core.enterNow(as: caller) { core, caller in
            do throws(Relux.StoreError) {
                let follower = Follower(query, for: caller)
                result = .success((follower, try follower.begin(in: core.readers)))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Reports a set or an update that had no effect.
    func report(
        _ reason: Relux.Refusal.Reason, action: (any Relux.Action)? = nil, at site: Relux.CallSite? = nil
    ) {
        let isMade = core.enterNow(as: caller) { core, _ in core.reporter.refused(reason, action: action, at: site) }
        if !isMade { core.post { core in core.reporter.refused(reason, action: action, at: site) } }
    }

    /// Dispatches the action of a control, unless the value that the control shows no longer exists.
    ///
    /// - Returns: Whether it exists. Inside a store, this can't be known, and nothing is dispatched: false.
    func dispatchNow(_ action: some Relux.Action, at site: Relux.CallSite, ifPresent follower: any AnyFollower) -> Bool
    {
        var isPresent = false
        let isMade = enterNow { core, caller in
            isPresent = core.readers.isPresent(follower, for: action, at: site)
            if isPresent { core.step(of: action, as: caller, at: site) }
        }
        if !isMade { refuseInside(action, at: site) }
        return isPresent
    }

    /// Whether the value that a control shows still exists. If not, or inside a store, where this can't be known, the
    /// action is reported as refused.
    ///
    /// - Parameter action: The action of the control.
    func isPresent(_ follower: any AnyFollower, for action: some Relux.Action, at site: Relux.CallSite) -> Bool {
        var isPresent = false
        let isMade = core.enterNow(as: caller) { core, _ in
            isPresent = core.readers.isPresent(follower, for: action, at: site)
        }
        if !isMade { refuseInside(action, at: site) }
        return isPresent
    }
}

extension Readers {
    /// Whether the value that a control shows still exists. If not, this is reported.
    ///
    /// - Parameter action: The action of the control.
    fileprivate func isPresent(
        _ follower: any AnyFollower, for action: some Relux.Action, at site: Relux.CallSite
    ) -> Bool {
        let isPresent = follower.isPresent(in: self)
        if !isPresent { reporter.refused(.lateBinding, action: action, at: site) }
        return isPresent
    }
}
