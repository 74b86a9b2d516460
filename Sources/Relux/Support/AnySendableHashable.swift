/// A type-erased hashable value that may cross isolation domains. Values of different types are never equal. A value
/// that isn't equal to itself, such as a NaN, is equal to those of its type with the same hash that aren't either.
/// Otherwise, what is kept under it could never be found again.
// @unchecked Sendable: the value never changes. `init(_:)` takes only sendable values. `init(unchecked:)` demands that
// every function that hands the value out requires its type to be sendable.
struct AnySendableHashable: @unchecked Sendable, Hashable, CustomDebugStringConvertible {
    private let base: any Hashable

    init(_ value: some Hashable & Sendable) { base = value }

    /// Takes a value whose type isn't known to be sendable, because no cast can find that out.
    init(unchecked value: some Hashable) { base = value }

    /// The type of the value.
    var type: Any.Type { Swift.type(of: base) }

    /// The value as text.
    var description: String { "\(base)" }

    /// The value as text, without modules; a string in quotation marks.
    var debugDescription: String { (base as? String)?.debugDescription ?? description }

    /// The value; nil if it has another type.
    func value<Value>(as type: Value.Type) -> Value? { base as? Value }

    // inline(never): this would otherwise be copied to each place that compares or looks up a record with an id.
    @inline(never)
    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.base.isEqual(to: rhs.base)
            || lhs.isNeverEqual && rhs.isNeverEqual && lhs.type == rhs.type && lhs.hashValue == rhs.hashValue
    }

    /// Whether the value isn't even equal to itself.
    private var isNeverEqual: Bool { !base.isEqual(to: base) }

    func hash(into hasher: inout Hasher) {
        base.hash(into: &hasher)
    }
}

extension Equatable {
    /// Whether the other value has the same type and is equal. `AnyHashable` would consider 1 and 1.0 equal, and a cast
    /// alone would wrap and unwrap optionals.
    func isEqual<Other: Equatable>(to other: Other) -> Bool {
        // Not compared as optionals: in unspecialised generic code, that would cost metadata lookups.
        if Self.self == Other.self, case let other as Self = other { self == other } else { false }
    }
}
