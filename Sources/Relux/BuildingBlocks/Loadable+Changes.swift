extension Relux.Loadable {
    /// Starts loading, keeping the current value as the previous one.
    public mutating func startLoading() {
        self = .loading(previous: value)
    }

    /// Marks the attempt as failed, keeping the current value as the previous one.
    ///
    /// - Parameter failure: Why no newer value could be loaded.
    public mutating func fail(with failure: Failure) {
        self = .failed(failure, previous: value)
    }

    /// Applies the outcome of an attempt: a new value, or a failure that keeps the current value as the previous one.
    public mutating func finish(with result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .loaded(value)
        case .failure(let failure): fail(with: failure)
        }
    }

    /// Stops loading and returns to the previous value, or to `.idle` without one. Does nothing in the other phases.
    ///
    /// A failure from before the attempt is not restored.
    public mutating func cancelLoading() {
        guard case .loading(let previous) = self else { return }
        self = previous.map(Self.loaded) ?? .idle
    }

    /// Changes the value in place, or the previous value if there is no newer one, without changing the phase.
    ///
    /// Nothing is copied: an array in the value that has no other owner is changed in place. During `.loading`, the
    /// value that arrives replaces the changed one.
    ///
    /// - Parameter body: Changes the value. If it throws, the changes made up to then are kept.
    /// - Returns: The result of `body`, or nil if there is no value, in which case `body` is not called.
    /// - Throws: Any error that `body` throws.
    @discardableResult
    public mutating func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R? {
        let current = self
        // Releasing the payload here leaves `current` as its only owner, which lets `body` change it in place.
        self = .idle
        switch consume current {
        case .idle:
            return nil
        case .loaded(var value):
            defer { self = .loaded(value) }
            return try body(&value)
        case .loading(var previous):
            defer { self = .loading(previous: previous) }
            return try Self.change(&previous, body)
        case .failed(let failure, var previous):
            defer { self = .failed(failure, previous: previous) }
            return try Self.change(&previous, body)
        }
    }

    /// Transforms the value and keeps the phase.
    ///
    /// - Parameter transform: Makes the new value. It is called at most once, and is also called for a previous value.
    /// - Throws: Any error that `transform` throws.
    public func map<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> Relux.Loadable<T, Failure> {
        switch self {
        case .idle: .idle
        case .loading(let previous): .loading(previous: try Self.map(previous, transform))
        case .loaded(let value): .loaded(try transform(value))
        case .failed(let failure, let previous): .failed(failure, previous: try Self.map(previous, transform))
        }
    }

    /// Transforms the failure and keeps the phase and the value.
    ///
    /// - Parameter transform: Makes the new failure. It is called only for `.failed`.
    public func mapFailure<F: Error>(_ transform: (Failure) -> F) -> Relux.Loadable<Value, F> {
        switch self {
        case .idle: .idle
        case .loading(let previous): .loading(previous: previous)
        case .loaded(let value): .loaded(value)
        case .failed(let failure, let previous): .failed(transform(failure), previous: previous)
        }
    }

    private static func change<R, E: Error>(
        _ slot: inout Value?,
        _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
        guard var value = slot.take() else { return nil }
        defer { slot = value }
        return try body(&value)
    }

    private static func map<T, E: Error>(_ value: Value?, _ transform: (Value) throws(E) -> T) throws(E) -> T? {
        guard let value else { return nil }
        return try transform(value)
    }
}
