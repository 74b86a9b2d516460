extension Relux {
    /// What a saga may do.
    public struct SagaContext: Sendable {}
}
