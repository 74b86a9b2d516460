/// A value of any hashable type that may cross isolations, compared by its type and value.
struct AnySendableHashable: Sendable, Hashable {
    private let value: any Hashable & Sendable

    init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.value.isEqual(to: rhs.value)
    }

    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}

extension Equatable {
    /// Whether the other value has the same type and is equal. `AnyHashable` would take 1 and 1.0 for the same.
    fileprivate func isEqual(to other: any Equatable) -> Bool {
        self == other as? Self
    }
}
