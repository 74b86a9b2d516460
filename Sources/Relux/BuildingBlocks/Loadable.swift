extension Relux {
    /// A value that is loaded asynchronously, together with its loading phase.
    ///
    /// There are four phases. The last value is kept while loading and after a failure, so that a screen can continue
    /// to show it.
    ///
    /// | in | `startLoading()` | `.loaded(new)` | `fail(with:)` | `cancelLoading()` |
    /// | --- | --- | --- | --- | --- |
    /// | `.idle` | `.loading(nil)` | `.loaded(new)` | `.failed(e, nil)` | `.idle` |
    /// | `.loading(p)` | `.loading(p)` | `.loaded(new)` | `.failed(e, p)` | `.loaded(p)`, `.idle` without p |
    /// | `.loaded(v)` | `.loading(v)` | `.loaded(new)` | `.failed(e, v)` | `.loaded(v)` |
    /// | `.failed(e, p)` | `.loading(p)` | `.loaded(new)` | `.failed(e, p)` | `.failed(e, p)` |
    ///
    /// It starts no work and tracks none. The code that sets `.loading` is responsible for ending it. The saga that
    /// does the loading declares an `actionOnCancel`, whose reducer calls ``cancelLoading()``.
    ///
    /// It is `Sendable`, `Equatable`, `Hashable` and `Codable` if the value and the failure are.
    public enum Loadable<Value, Failure: Error> {
        /// No value has been requested.
        case idle

        /// A value is being loaded. `previous` is the last value, if there was one.
        case loading(previous: Value?)

        /// The value has been loaded.
        case loaded(Value)

        /// The last attempt failed. `previous` is the last value, if there was one.
        case failed(Failure, previous: Value?)
    }
}

extension Relux.Loadable {
    /// The value, or the previous value while a newer one is loading or after it failed to load.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let previous), .failed(_, let previous): previous
        case .loaded(let value): value
        }
    }

    /// Why the last attempt failed. It is nil once another attempt has started.
    public var failure: Failure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }

    /// Whether no value has been requested.
    public var isIdle: Bool {
        if case .idle = self { true } else { false }
    }

    /// Whether a value is being loaded.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether the value has been loaded, with no later attempt that is in progress or has failed.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }
}

extension Relux.Loadable: Sendable where Value: Sendable {}

extension Relux.Loadable: Equatable where Value: Equatable, Failure: Equatable {
    // By hand: the compiler's own comparison, of each pair of phases, is several times as large.
    /// Returns whether both are in the same phase, with equal values and failures.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.isLoading == rhs.isLoading && lhs.failure == rhs.failure && lhs.value == rhs.value
    }
}

extension Relux.Loadable: Hashable where Value: Hashable, Failure: Hashable {}
