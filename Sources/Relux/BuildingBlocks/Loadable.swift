extension Relux {
    /// A value that comes from somewhere, with the way there.
    ///
    /// It knows four phases, and keeps the last value through the two in which a newer one is missing, so that a screen
    /// can go on showing it.
    ///
    /// | in | `startLoading()` | `.loaded(new)` | `fail(with:)` | `cancelLoading()` |
    /// | --- | --- | --- | --- | --- |
    /// | `.idle` | `.loading(nil)` | `.loaded(new)` | `.failed(e, nil)` | `.idle` |
    /// | `.loading(p)` | `.loading(p)` | `.loaded(new)` | `.failed(e, p)` | `.loaded(p)`, `.idle` without p |
    /// | `.loaded(v)` | `.loading(v)` | `.loaded(new)` | `.failed(e, v)` | `.loaded(v)` |
    /// | `.failed(e, p)` | `.loading(p)` | `.loaded(new)` | `.failed(e, p)` | `.failed(e, p)` |
    ///
    /// It starts no work and knows of none: that a `.loading` comes to an end is up to whoever set it. The saga that
    /// loads says so with `actionOnCancel`, whose reducer calls ``cancelLoading()``.
    ///
    /// It is `Sendable`, `Equatable`, `Hashable` and `Codable` where the value and the failure are.
    public enum Loadable<Value, Failure: Error> {
        /// Nothing has been asked for.
        case idle

        /// A value is on its way; `previous` is the last one, if there was one.
        case loading(previous: Value?)

        /// The value is there.
        case loaded(Value)

        /// The last attempt failed; `previous` is the last value, if there was one.
        case failed(Failure, previous: Value?)
    }
}

extension Relux.Loadable {
    /// The value, or the last one where a newer one is on its way or couldn't be had.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let previous), .failed(_, let previous): previous
        case .loaded(let value): value
        }
    }

    /// Why the last attempt failed; nil once another attempt has begun.
    public var failure: Failure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }

    /// Whether nothing has been asked for.
    public var isIdle: Bool {
        if case .idle = self { true } else { false }
    }

    /// Whether a value is on its way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether the value is there, and no attempt is under way or has failed since.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }
}

extension Relux.Loadable: Sendable where Value: Sendable {}

extension Relux.Loadable: Equatable where Value: Equatable, Failure: Equatable {}

extension Relux.Loadable: Hashable where Value: Hashable, Failure: Hashable {}

/// A decoded `.loading` has no work behind it: call ``Relux/Loadable/cancelLoading()`` after restoring a state.
extension Relux.Loadable: Codable where Value: Codable, Failure: Codable {}
