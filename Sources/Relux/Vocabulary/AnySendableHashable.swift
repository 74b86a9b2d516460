/// A value of any hashable type that may cross isolations, compared by its type and value.
struct AnySendableHashable: Sendable, Hashable {
    private let value: any Hashable & Sendable

    init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        // AnyHashable alone would take 1 and 1.0 for equal.
        type(of: lhs.value) == type(of: rhs.value) && AnyHashable(lhs.value) == AnyHashable(rhs.value)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(value))
    }
}
