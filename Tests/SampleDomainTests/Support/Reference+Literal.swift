import SampleDomain

/// What a user types is short in tests.
extension Items.Reference: ExpressibleByStringLiteral {
    /// Creates a reference from what a user typed.
    public init(stringLiteral value: String) {
        self = .typed(value)
    }
}
