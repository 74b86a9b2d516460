import Observation

extension Relux.UI {
    /// A store's value on the main actor.
    ///
    /// SwiftUI views observe ``value``. UIKit and AppKit controllers set ``willChange`` and ``didChange``, which are
    /// called once each per change: ``willChange`` while the old value is still in place, to remember a selection or a
    /// scroll position, and ``didChange`` with the new value in place, to restore it.
    ///
    /// Text that is being typed stays in the view, and is dispatched on commit or debounced by a policy.
    ///
    /// - Isolation: The main actor. The selection runs inside the store.
    /// - Ordering: The latest value wins. A slow main actor skips values, and never goes back to an older one. A value
    ///   equal to the present one changes nothing and calls nothing.
    /// - Reentrancy: Both closures may dispatch and read. The changes that result arrive later.
    /// - Lifetime: It doesn't keep the store alive. While no registered module owns the state, while the instance that
    ///   it was created in doesn't exist, and once the store is gone, the last value stays; the next registration is
    ///   followed again. It stops when it is released. One that was created in the context of an instance's run stops
    ///   with that instance, and doesn't follow a later one with the same id.
    @MainActor
    @Observable
    public final class ViewState<Value: Equatable & Sendable> {
        /// The latest value.
        public private(set) var value: Value

        /// Called before a change with the new value. ``value`` is still the old one.
        @ObservationIgnored public var willChange: (@MainActor (Value) -> Void)?

        /// Called after a change with the old value. ``value`` is the new one.
        @ObservationIgnored public var didChange: (@MainActor (Value) -> Void)?

        /// Stops the updates when this object is released.
        @ObservationIgnored private var updates: OwnedTask?

        /// - Parameters:
        ///   - first: The value to begin with.
        ///   - values: The values to follow. If they end with a module, they are followed again after its next
        ///     registration.
        ///   - presence: Whether the module is registered; nil if they need not be followed again.
        init(_ first: Value, following values: Relux.StateValues<Value>, while presence: Relux.StateValues<Bool>?) {
            value = first
            updates = OwnedTask(
                Task { [weak self] in
                    repeat {
                        for await value in values {
                            guard let self else { return }
                            self.take(value)
                        }
                    } while await presence?.isTrue() == true
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

extension Relux.StateValues<Bool> {
    /// Waits until the value is true.
    ///
    /// - Returns: false if the values end before that.
    fileprivate func isTrue() async -> Bool {
        for await value in self where value { return true }
        return false
    }
}

extension Relux.StateReading {
    /// Creates an object that follows a state on the main actor.
    ///
    /// - Throws: ``Relux/StoreError`` if no registered module owns the state, or if the store was shut down.
    @MainActor
    public func viewState<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<S> {
        let first = try await state(of: type, fileID: fileID, line: line)
        let values = values(of: type, fileID: fileID, line: line)
        return Relux.UI.ViewState(first, following: values, while: handle.presence(of: type))
    }

    /// Creates an object that follows a part of a state on the main actor.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - select: Selects the part. It runs inside the store, so keep it short.
    /// - Throws: ``Relux/StoreError`` if no registered module owns the state, or if the store was shut down.
    @MainActor
    public func viewState<S: Relux.State, Value: Equatable & Sendable>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> Value
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        let first = try await read { reader throws(Relux.StoreError) in
            select(try reader.state(of: type, fileID: fileID, line: line))
        }
        let values = values(of: type, fileID: fileID, line: line, select)
        return Relux.UI.ViewState(first, following: values, while: handle.presence(of: type))
    }

    /// Creates an object that follows a selection from several states on the main actor.
    ///
    /// The states are read at a single point in the total order.
    ///
    /// - Parameter select: Selects the value. It runs inside the store, so keep it short.
    /// - Throws: ``Relux/StoreError`` if the store was shut down.
    @MainActor
    public func viewState<Value: Equatable & Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (borrowing Relux.StateReader) -> Value
    ) async throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        let values = values { reader in select(reader) }
        var iterator = values.makeAsyncIterator()
        guard let first = await iterator.next() else {
            throw .storeShutDown(at: Relux.CallSite(fileID: fileID, line: line))
        }
        return Relux.UI.ViewState(first, following: values, while: handle.presence())
    }
}
