/// A type-erased hashable value that may cross isolation domains. Values of different types are never equal.
struct AnySendableHashable: Sendable, Hashable {
    private let value: any Hashable & Sendable

    init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    /// The type of the value.
    var type: Any.Type { Swift.type(of: value) }

    /// The value as text.
    var description: String { "\(value)" }

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
        self == other as? Self
    }
}
