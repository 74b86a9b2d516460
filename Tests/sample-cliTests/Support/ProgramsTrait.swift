#if os(macOS) || os(Linux)
    import Relux
    import Testing

    /// Limits how many of the tests that run programs work at a time.
    ///
    /// All at once they would slow each other down, and a time limit would measure the number of tests. A test
    /// therefore waits here before its time starts, which is when its cases start. The scope is therefore that of the
    /// test, and not of a case.
    // A test trait as well, because a recursive suite trait is applied to its tests, and Swift Testing traps if it
    // isn't a test trait.
    struct ProgramsTrait: SuiteTrait, TestTrait, TestScoping {
        private static let places = Lock<(free: Int, waiting: [CheckedContinuation<Void, Never>])>((8, []))

        var isRecursive: Bool { true }

        func scopeProvider(for test: Test, testCase: Test.Case?) -> ProgramsTrait? {
            test.isSuite || testCase != nil ? nil : self
        }

        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            await withCheckedContinuation { continuation in
                let isFree = Self.places.withLock { places in
                    defer { if places.free > 0 { places.free -= 1 } else { places.waiting.append(continuation) } }
                    return places.free > 0
                }
                if isFree { continuation.resume() }
            }
            defer {
                let next: CheckedContinuation<Void, Never>? = Self.places.withLock { places in
                    if !places.waiting.isEmpty { return places.waiting.removeFirst() }
                    places.free += 1
                    return nil
                }
                next?.resume()
            }
            try await function()
        }
    }

    extension Trait where Self == ProgramsTrait {
        /// For a suite whose tests run programs.
        static var runsPrograms: Self { ProgramsTrait() }
    }
#endif
