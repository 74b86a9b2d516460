/// Values outside the store that follow its states, for user interfaces.
extension Relux.StoreHandle {
    /// Starts to follow a selection, with its present value.
    func follow<Value: Equatable & Sendable>(
        _ query: StateQuery<Value>, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> Follower<Value> {
        var result = Result<Follower<Value>, Relux.StoreError>.failure(.insideStore(at: site))
        _ = core.enterNow(as: origin) { core, origin in
            do throws(Relux.StoreError) {
                result = .success(try Follower(query, as: origin, in: core))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Dispatches the action of a control, unless the value that the control shows no longer exists.
    func dispatchNow(_ action: some Relux.Action, at site: Relux.CallSite, ifPresent follower: AnyFollower) {
        let isMade = enterNow { core, origin in
            guard core.isPresent(follower, for: action, at: site) else { return }
            core.step(as: origin, at: site) { $0.take(action, in: &$1) }
        }
        if !isMade { refuseInside(action, at: site) }
    }

    /// Whether the value that a control shows still exists. If not, this is reported.
    ///
    /// - Parameter action: The action of the control.
    func isPresent(_ follower: AnyFollower, for action: some Relux.Action, at site: Relux.CallSite) -> Bool {
        var isPresent = true
        _ = core.enterNow(as: origin) { core, _ in isPresent = core.isPresent(follower, for: action, at: site) }
        return isPresent
    }
}

extension Core {
    fileprivate func isPresent(
        _ follower: AnyFollower, for action: some Relux.Action, at site: Relux.CallSite
    ) -> Bool {
        let isPresent = follower.isPresent(in: self)
        if !isPresent { reporter.refused(.lateBinding, action: action, at: site) }
        return isPresent
    }
}
