extension Relux {
    /// A function around the body of a run, in the task of the run.
    public typealias RunWrapper =
        @Sendable (RunRecord, _ body: @Sendable () async throws -> Void) async throws -> Void
}
