extension Relux.Loadable {
    /// Marks a value as on its way, and keeps the one that is there.
    public mutating func startLoading() {
        self = .loading(previous: value)
    }

    /// Marks the attempt as failed, and keeps the value that is there.
    ///
    /// - Parameter failure: Why no newer value could be had.
    public mutating func fail(with failure: Failure) {
        self = .failed(failure, previous: value)
    }

    /// Takes the outcome of an attempt: the value, or the failure beside the value that is there.
    ///
    /// - Parameter result: What the attempt came to.
    public mutating func finish(with result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .loaded(value)
        case .failure(let failure): fail(with: failure)
        }
    }

    /// Gives up waiting: back to the value that was there, or to `.idle`. Does nothing in the other phases.
    ///
    /// A failure from before the attempt doesn't come back.
    public mutating func cancelLoading() {
        guard case .loading(let previous) = self else { return }
        self = previous.map(Self.loaded) ?? .idle
    }

    /// Changes the value in place, the last one where a newer one is missing, and stays in its phase.
    ///
    /// Nothing is copied: an array in the value that nobody else holds is changed where it is. While it is loading, the
    /// value that arrives replaces the changed one.
    ///
    /// - Parameter body: Changes the value. What it changed before it threw stays.
    /// - Returns: What `body` returned, or nil where there is no value and it wasn't called.
    /// - Throws: What `body` throws.
    @discardableResult
    public mutating func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R? {
        let current = self
        // Letting go of the payload here makes `current` its only holder, so that `body` changes it in place.
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

    /// The same phase, with another value.
    ///
    /// - Parameter transform: Makes the new value. It is called once at most, and also for the last value where a newer
    ///   one is missing.
    /// - Returns: The loadable of the new value.
    /// - Throws: What `transform` throws.
    public func map<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> Relux.Loadable<T, Failure> {
        switch self {
        case .idle: .idle
        case .loading(let previous): .loading(previous: try Self.map(previous, transform))
        case .loaded(let value): .loaded(try transform(value))
        case .failed(let failure, let previous): .failed(failure, previous: try Self.map(previous, transform))
        }
    }

    /// The same phase and value, with another failure.
    ///
    /// - Parameter transform: Makes the new failure. It is called only for a `.failed`.
    /// - Returns: The loadable with the new failure.
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
