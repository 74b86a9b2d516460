/// Reading states.
extension Core {
    /// A reader to lend to a closure.
    func reader(noting log: ReadLog? = nil) -> Relux.StateReader {
        Relux.StateReader(states, reporter, isOpen: phase == .open, noting: log)
    }

    /// The current value of a state. A missing state is reported and thrown.
    func state<S: Relux.State>(of type: S.Type, at site: Relux.CallSite) -> Result<S, Relux.StoreError> {
        do throws(Relux.StoreError) {
            return .success(try reader().state(of: type, at: site))
        } catch {
            return .failure(error)
        }
    }

    /// The cell of a state as an iterator knows it: the one it started with, or the current one at the start.
    ///
    /// - Returns: Nil if the cell is gone, or if there is none to start with, which is reported.
    func cell<S: Relux.State>(of type: S.Type, since reads: [ReadLog.Read]?, at site: Relux.CallSite) -> StateCell<S>? {
        if let cell = states.cell(of: type, since: reads) { return cell }
        if reads == nil { reporter.refused(phase == .open ? .stateNotOwned(type) : .storeShutDown, at: site) }
        return nil
    }

    // MARK: Streams

    func subscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>) {
        guard phase == .open else { return buffer.finish() }
        routes.makeRoute(for: A.self).add(buffer)
    }

    func unsubscribe<A: Relux.Action>(_ buffer: StreamBuffer<A>) {
        routes[ObjectIdentifier(A.self)]?.remove(stream: buffer)
        routes.removeIfUnused(ObjectIdentifier(A.self))
    }
}
