import Testing

/// Limits how many of the tests that run programs work at a time.
///
/// All at once they would slow each other down, and a time limit would measure the number of tests. A test therefore
/// waits here before its time starts, which is when its cases start. The scope is therefore that of the test, and not
/// of a case.
// A test trait as well, because a recursive suite trait is applied to its tests, and Swift Testing traps if it isn't a
// test trait.
struct ProgramsTrait: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(count: 8)

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> ProgramsTrait? {
        test.isSuite || testCase != nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.giveBack() }
        try await function()
    }
}

extension Trait where Self == ProgramsTrait {
    /// For a suite whose tests run programs.
    static var runsPrograms: Self { ProgramsTrait() }
}
