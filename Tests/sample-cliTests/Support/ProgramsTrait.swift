import Testing

/// Lets few of the tests that run programs work at a time.
///
/// All at once they would make each other slow, and a time limit would tell how many tests there are. So a test waits
/// here before its time begins, which is that of a test's cases: so the scope is that of the test, and of no case.
// A test's trait as well: a recursive suite hands it to its tests, and Swift Testing traps on one that is no test's.
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
