/// The request of an iterator of values, or of a view state.
struct StateQuery<Value: Sendable>: Sendable {
    /// The source of the value.
    enum Subject: Sendable {
        /// One state: for an iterator, that of the module that owns it at first.
        case state(any StateSelection<Value>)
        /// Any states, at one point of the total order.
        case reader(@Sendable (borrowing Relux.StateReader) throws -> Value)
    }

    let subject: Subject
    /// Whether two values differ; nil if each change of the state counts.
    let differ: (@Sendable (Value, Value) -> Bool)?
    /// Whether the first value is what the reader wants, even if the state has changed again before the reader takes
    /// it.
    var wantsFirst = false
    let site: Relux.CallSite?
    /// The value of a view state while there is nothing to select from; nil for the last one.
    var otherwise: Value?

    /// A selection from one state.
    static func selection<S: Relux.State>(
        _ select: @escaping @Sendable (S) -> Value, at site: Relux.CallSite
    ) -> StateQuery where Value: Equatable {
        StateQuery(subject: .state(PartOfState(select)), differ: { $0 != $1 }, site: site)
    }

    /// A selection from any states.
    static func selection(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> Value, at site: Relux.CallSite? = nil
    ) -> StateQuery where Value: Equatable {
        StateQuery(subject: .reader(select), differ: { $0 != $1 }, site: site)
    }
}

extension StateQuery where Value: Relux.State {
    /// The values of a whole state.
    static func state(_ type: Value.Type, at site: Relux.CallSite) -> StateQuery {
        StateQuery(subject: .state(PartOfState<Value, Value> { $0 }), differ: nil, site: site)
    }

    /// A state as soon as it meets a condition.
    static func condition(_ isMet: @escaping @Sendable (Value) -> Bool, at site: Relux.CallSite) -> StateQuery {
        StateQuery(subject: .state(PartOfState({ $0 }, if: isMet)), differ: nil, wantsFirst: true, site: site)
    }
}

/// A selection from one state, without the type of that state.
protocol StateSelection<Value>: AnyObject, Sendable {
    associatedtype Value

    var state: any Relux.State.Type { get }

    /// The selected value, if there is one.
    func value(in cell: AnyStateCell) -> Value?

    /// Calls a closure with the selected value, if that differs from another one. A condition doesn't matter here.
    ///
    /// It is passed on, because in unspecialised generic code an optional value costs several lookups of metadata.
    ///
    /// - Returns: Whether it differs.
    func pass(_ cell: AnyStateCell, ifNot last: Value, to body: (Value) -> Void) -> Bool
}

/// A part of a state that meets a condition.
private final class PartOfState<S: Relux.State, Value: Equatable>: StateSelection {
    private let select: @Sendable (S) -> Value
    private let isIncluded: @Sendable (S) -> Bool

    init(_ select: @escaping @Sendable (S) -> Value, if isIncluded: @escaping @Sendable (S) -> Bool = { _ in true }) {
        (self.select, self.isIncluded) = (select, isIncluded)
    }

    var state: any Relux.State.Type { S.self }

    func value(in cell: AnyStateCell) -> Value? {
        guard let cell = cell.typed(as: S.self), isIncluded(cell.value) else { return nil }
        return select(cell.value)
    }

    func pass(_ cell: AnyStateCell, ifNot last: Value, to body: (Value) -> Void) -> Bool {
        guard let cell = cell.typed(as: S.self) else { return false }
        let value = select(cell.value)
        guard value != last else { return false }
        body(value)
        return true
    }
}
