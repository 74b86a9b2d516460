import Observation

extension Relux.UI {
    /// A store's value on the main actor.
    ///
    /// SwiftUI views observe ``value``. UIKit and AppKit controllers set ``willChange`` and ``didChange``, which are
    /// called once each per change: ``willChange`` while the old value is still in place, to remember a selection or a
    /// scroll position, and ``didChange`` with the new value in place, to restore it. ``observe(_:)`` allows any number
    /// of further observers.
    ///
    /// All view states of a store are updated together, in one turn of the main actor, however many of them change and
    /// however many actions were reduced in between. They therefore always show the same point of the total order. An
    /// update calls every ``willChange``, then changes every value, then calls every ``didChange`` and observer. The
    /// `onChange` of `withObservationTracking` comes after every ``willChange`` and before the first change.
    ///
    /// - Isolation: The main actor. The selection is executed inside the store, on the main thread: keep it short.
    /// - Ordering: The latest value wins. A slow main actor skips values, and never goes back to an older one. A value
    ///   equal to the present one changes nothing and calls nothing, unless a set of a ``ViewBinding`` was refused.
    ///   After a `dispatchNow` on the main actor, it shows the point after that action or a later one.
    /// - Reentrancy: All closures may dispatch and read. A `dispatchNow` during an update is reduced at once; the view
    ///   states follow in a further round of the update, before the outer call returns. After 1,000 further rounds, the
    ///   update is cut off, and ``Refusal/Reason/endlessUpdates`` is reported: the values are brought up to date once
    ///   more, and no closure is called.
    /// - Lifetime: It doesn't keep the store alive. The last value stays while no registered module owns the state,
    ///   while the instance that it was created in doesn't exist, and after the end of the store. The next registration
    ///   is followed again. It stops when it is released. One that was created in the context of an instance's run
    ///   stops with that instance, and doesn't follow a later one with the same id.
    /// - Complexity: An action costs nothing for a view state whose states it doesn't touch, and O(1) for each of the
    ///   others. An update evaluates only the selections whose states were touched.
    @MainActor
    public final class ViewState<Value: Equatable & Sendable>: Observable {
        /// The follower, and the hub that brings it up to date; nil for one that never changes.
        private let source: (follower: Follower<Value>, hub: ViewHub)?
        /// The latest value, without being observed.
        private(set) var present: Value
        private let observed = ObservedValue()
        private var observations: [WeakObservation] = []
        /// The number of observations at which those that have ended are removed.
        private var observationLimit = 0
        /// The value before the change that is in progress.
        private var old: Value?
        /// The last set of each path, until its result is known. It returns whether a value shows that it was refused.
        private var openSets: [AnyKeyPath: (Value) -> Bool] = [:]

        /// The paths that may lead nowhere, and for which bindings of the present value were made.
        private var readable: Set<AnyKeyPath> = []
        /// The shape of the present value, if it is known.
        private var shape: ValueShape?

        /// Whether an update is in progress, for one that never changes.
        private var isUpdating = false

        /// How many sets of bindings have been refused.
        private(set) var refusedSets = 0

        /// Called before a change with the new value. ``value`` is still the old one.
        public var willChange: (@MainActor (Value) -> Void)?

        /// Called after a change with the old value. ``value`` is the new one.
        public var didChange: (@MainActor (Value) -> Void)?

        /// Encloses changes, for example in an animation: `{ change in withAnimation { change() } }`.
        ///
        /// An update changes all of its values in one phase, which includes the notification of `Observation`. The
        /// closures of all view states that change are nested around this phase. Each must call `change` once,
        /// synchronously; otherwise, the values change after it has returned. For an update that a `dispatchNow` on the
        /// main actor makes, none of them is called.
        public var apply: ((@MainActor () -> Void) -> Void)?

        /// Creates one that never changes, for previews.
        ///
        /// Each set of a ``ViewBinding`` is refused, which calls the observers. If they set it again each time, this is
        /// cut off after 1,000 further rounds, and reported to the dispatcher of the binding, if it has one.
        public init(constant value: Value) {
            present = value
            source = nil
        }

        init(_ follower: Follower<Value>, of hub: ViewHub, showing value: Value) {
            present = value
            source = (follower, hub)
        }

        deinit {
            if let source { source.hub.forget(source.follower) }
        }

        /// The latest value.
        public var value: Value {
            observed.access()
            return present
        }

        /// Leads to the store and the scope that are followed.
        var ownDispatcher: Relux.Dispatcher { source.map { $0.hub.dispatcher(of: $0.follower) } ?? .none }

        /// Calls a closure after each change, with the old and the new value.
        ///
        /// - Returns: The observation, which ends when it is released. It doesn't keep this object alive.
        /// - Complexity: O(1) on average.
        public func observe(_ body: @escaping @MainActor (_ old: Value, _ new: Value) -> Void) -> ViewObservation {
            let body = ObservationBody(call: body)
            if observations.count >= observationLimit {
                observations.removeAll { $0.body == nil }
                observationLimit = 2 * observations.count + 1
            }
            observations.append(WeakObservation(body: body))
            return ViewObservation(body)
        }

        private struct WeakObservation {
            weak var body: ObservationBody<Value>?
        }
    }

    /// An observer of a ``ViewState``. It ends when it is released.
    public final class ViewObservation: Sendable {
        /// The closure to call. The view state doesn't keep it alive.
        private let body: any AnyObject & Sendable

        fileprivate init(_ body: any AnyObject & Sendable) {
            self.body = body
        }
    }
}

// MARK: - Updating

extension Relux.UI.ViewState: ViewUpdating {
    private var next: Value { source?.follower.last?.value ?? present }

    func settleSets() -> Bool {
        guard !openSets.isEmpty else { return false }
        let value = next
        let refused = openSets.values.count { $0(value) }
        openSets = [:]
        refusedSets += refused
        return refused > 0
    }

    func announce() { willChange?(next) }

    func notifyObservation() { observed.willSet() }

    func change() {
        old = present
        (readable, shape) = ([], nil)
        present = next
    }

    func changeSilently() {
        change()
        old = nil
        observed.didSet()
    }

    func conclude() {
        guard let old = old.take() else { return }
        let new = present
        observed.didSet()
        didChange?(old)
        for observation in observations { observation.body?.call(old, new) }
    }
}

// MARK: - Bindings

extension Relux.UI.ViewState {
    private var presentShape: ValueShape {
        if let shape { return shape }
        let shape = ValueShape(of: present)
        self.shape = shape
        return shape
    }

    /// Notes that a path leads to a part of the present value.
    ///
    /// - Returns: The shape of the value; nil for a path that can always be read.
    func noteReading<V>(of path: Relux.UI.BoundPath<Value, V>) -> ValueShape? {
        guard path.mayLeadNowhere else { return nil }
        readable.insert(path.keyPath)
        return presentShape
    }

    /// The part of the present value, without being observed; nil if there may be none.
    func read<V>(_ path: Relux.UI.BoundPath<Value, V>, _ last: LastReading<V>) -> V? {
        if let shape = last.shape {
            guard readable.contains(path.keyPath) || !presentShape.isSmaller(than: shape) else { return nil }
            last.shape = presentShape
        }
        guard path.isElementThere(present) else { return nil }
        last.part = present[keyPath: path.keyPath]
        return last.part
    }

    /// Sets a part of the value by an action.
    ///
    /// - Parameters:
    ///   - last: What the binding has read last.
    ///   - shown: The part that was shown when the binding was made.
    ///   - dispatcher: Receives the action; nil for the store and the scope that are followed.
    ///   - make: Makes the action from what was shown and the new part; nil if there is nothing to do.
    ///   - completion: Called when the resulting value is known, with whether the set came too late.
    func set<V: Equatable, A: Relux.Action>(
        _ path: Relux.UI.BoundPath<Value, V>, _ last: LastReading<V>, from shown: V, to new: V,
        by dispatcher: Relux.Dispatcher?, at site: Relux.CallSite, _ make: (V, V) -> A?,
        completion: (@MainActor (_ isLate: Bool) -> Void)?
    ) {
        let before = read(path, last)
        // Until the result of an earlier set is known, the shown value may be out of date.
        guard new != before || openSets[path.keyPath] != nil else {
            completion?(false)
            return
        }
        noteSet(of: path, from: before, to: new)
        let action = make(shown, new)
        guard let source else {
            if let dispatcher, let action { _ = dispatcher.handle.dispatchNow(action, at: site) }
            updateConstant(reportingTo: dispatcher)
            completion?(false)
            return
        }
        source.hub.setsAreOpen(of: self)
        let isLate: Bool
        if let action, before != nil {
            isLate = !source.hub.dispatch(action, to: dispatcher, from: source.follower, at: site)
        } else {
            isLate = before == nil || before != shown
            if isLate { source.hub.reportLateBinding(action, at: site) }
        }
        source.hub.update(applying: false) { completion?(isLate) }
    }

    /// Calls the observers, unless one of them has made the set.
    private func updateConstant(reportingTo dispatcher: Relux.Dispatcher?) {
        guard !isUpdating else { return }
        isUpdating = true
        if !ViewHub.update(self) { dispatcher?.handle.report(.endlessUpdates) }
        isUpdating = false
    }

    /// Notes a set whose result isn't known yet.
    ///
    /// - Parameter before: The value before it; nil if there may be nothing.
    private func noteSet<V: Equatable>(of path: Relux.UI.BoundPath<Value, V>, from before: V?, to new: V) {
        openSets[path.keyPath] = { next in
            guard let before else { return true }
            // A set of what was shown, after others, is never refused: calling the observers could go on forever.
            guard new != before else { return false }
            // The element may be gone. The set counts as refused: if it wasn't, the value changes, and the observers
            // are called anyway.
            return path.mayLeadNowhere || next[keyPath: path.keyPath] == before
        }
    }
}

/// The closure of an observation, which keeps it alive.
private final class ObservationBody<Value>: Sendable {
    let call: @MainActor (_ old: Value, _ new: Value) -> Void

    init(call: @escaping @MainActor (Value, Value) -> Void) {
        self.call = call
    }
}

/// The object of a view state that `Observation` tracks. Not generic, so that its key path is created once.
private final class ObservedValue: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private var value: Void { () }

    func access() { registrar.access(self, keyPath: \.value) }
    func willSet() { registrar.willSet(self, keyPath: \.value) }
    func didSet() { registrar.didSet(self, keyPath: \.value) }
}
