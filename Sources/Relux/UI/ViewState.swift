import Observation

extension Relux.UI {
    /// A store's value on the main actor.
    ///
    /// SwiftUI views observe ``value``. Controllers of UIKit and AppKit set ``willChange`` and ``didChange``, which are
    /// called once each per change: the first while the old value is still there, to remember a selection or a scroll
    /// position, the second with the new one in place, to restore it.
    ///
    /// - Isolation: The main actor. The selection runs inside the store.
    /// - Ordering: The latest value wins; a slow main actor skips what came in between, and never goes back. Equal
    ///   values change nothing and call nothing.
    /// - Reentrancy: Both closures may dispatch and read; what that changes arrives afterwards.
    /// - Lifetime: It doesn't keep the store alive; when that goes, the last value stays. It stops when it is released,
    ///   also while a value is under way.
    ///
    /// Text that is being typed stays in the view, and is dispatched on commit, or debounced by a policy.
    @MainActor
    @Observable
    public final class ViewState<Value: Equatable & Sendable> {
        /// The present value.
        public private(set) var value: Value

        /// Called before a change, with the value to come. ``value`` is still the old one.
        @ObservationIgnored public var willChange: (@MainActor (Value) -> Void)?

        /// Called after a change, with the value that was before. ``value`` is the new one.
        @ObservationIgnored public var didChange: (@MainActor (Value) -> Void)?

        /// Ends with this object, and the updates with it.
        @ObservationIgnored private var updates: Updates?

        init(_ first: Value, followedBy rest: Relux.StateValues<Value>.Iterator) {
            value = first
            updates = Updates(
                Task { [weak self] in
                    var rest = rest
                    while let value = await rest.next() {
                        guard let self else { return }
                        self.take(value)
                    }
                }
            )
        }

        private func take(_ new: Value) {
            guard new != value else { return }
            let old = value
            willChange?(new)
            value = new
            didChange?(old)
        }
    }
}

/// The task that takes values, which is cancelled when the last reference goes.
private final class Updates: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit {
        task.cancel()
    }
}

extension Relux.Store {
    /// A state, kept up to date on the main actor.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: An object that holds the present value, and all later ones.
    /// - Throws: ``Relux/StoreError`` if no registered module owns the state, or the store was shut down.
    @MainActor
    public func viewState<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<S> {
        try await viewState(
            values(of: type, fileID: fileID, line: line),
            missing: .stateNotOwned(type, at: Relux.CallSite(fileID: fileID, line: line)), fileID, line
        )
    }

    /// A part of a state, kept up to date on the main actor.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - select: Selects the part. It runs inside the store, so keep it short.
    /// - Returns: An object that holds the present value, and all later ones.
    /// - Throws: ``Relux/StoreError`` if no registered module owns the state, or the store was shut down.
    @MainActor
    public func viewState<S: Relux.State, Value: Equatable & Sendable>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> Value
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        try await viewState(
            values(of: type, fileID: fileID, line: line, select),
            missing: .stateNotOwned(type, at: Relux.CallSite(fileID: fileID, line: line)), fileID, line
        )
    }

    /// A selection from several states, read at one point of the total order, kept up to date on the main actor.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - select: Selects the value. It runs inside the store, so keep it short.
    /// - Returns: An object that holds the present value, and all later ones.
    /// - Throws: ``Relux/StoreError`` if the store was shut down.
    @MainActor
    public func viewState<Value: Equatable & Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (borrowing Relux.StateReader) -> Value
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        let site = Relux.CallSite(fileID: fileID, line: line)
        return try await viewState(values { reader in select(reader) }, missing: .storeShutDown(at: site), fileID, line)
    }

    @MainActor
    private func viewState<Value>(
        _ values: Relux.StateValues<Value>, missing: Relux.StoreError, _ fileID: StaticString, _ line: UInt
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        var iterator = values.makeAsyncIterator()
        guard let first = await iterator.next() else {
            throw missing
        }
        return Relux.UI.ViewState(first, followedBy: iterator)
    }
}
