/// A type-erased hashable value that may cross isolation domains. Values of different types are never equal.
// @unchecked Sendable: the value never changes. `init(_:)` takes only sendable values. `init(unchecked:)` demands that
// every function that hands the value out requires its type to be sendable.
struct AnySendableHashable: @unchecked Sendable, Hashable {
    private let value: any Hashable

    init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    /// Takes a value whose type isn't known to be sendable, because no cast can find that out.
    init(unchecked value: some Hashable) {
        self.value = value
    }

    /// The type of the value.
    var type: Any.Type { Swift.type(of: value) }

    /// The value as text.
    var description: String { "\(value)" }

    /// The value; nil if it has another type.
    func value<Value>(as type: Value.Type) -> Value? { value as? Value }

    // inline(never): this would otherwise be copied to each place that compares or looks up a record with an id.
    @inline(never)
    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.value.isEqual(to: rhs.value)
    }

    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}

extension Equatable {
    /// Whether the other value has the same type and is equal. `AnyHashable` would consider 1 and 1.0 equal.
    fileprivate func isEqual(to other: any Equatable) -> Bool {
        // Not compared as optionals: in unspecialised generic code, that would cost metadata lookups.
        if case let other as Self = other { self == other } else { false }
    }
}

extension AnySendableHashable: CustomDebugStringConvertible {
    /// The value as a debugger shows it: strings in quotation marks.
    var debugDescription: String { String(reflecting: value) }
}
