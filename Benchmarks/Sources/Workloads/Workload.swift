/// A repeatable operation whose cost is measured.
package struct Workload: Sendable {
    /// A description of the operation, unique among all workloads.
    package let name: String

    /// The number of operations of which every run must be a multiple, since a batch of 1,000 can't be divided.
    package let step: Int

    /// Whether its tasks contend with each other, so that its figures are meaningful only if they run in parallel.
    package let isParallel: Bool

    /// Creates everything that the operation needs, which is never part of the measurement.
    package let prepare: @Sendable () async throws -> Session

    package init(
        _ name: String, step: Int = 1, isParallel: Bool = false,
        prepare: @escaping @Sendable () async throws -> Session
    ) {
        self.name = name
        self.step = step
        self.isParallel = isParallel
        self.prepare = prepare
    }
}

/// A workload that is ready to run.
package struct Session: Sendable {
    /// Runs the given number of operations and returns how long they took.
    package let run: @Sendable (_ operations: Int) async throws -> Duration

    /// Releases what was created, once no more operations will be run.
    package let close: @Sendable () async -> Void

    /// Creates a session that times all of its work.
    package init(
        _ body: @escaping @Sendable (_ operations: Int) async throws -> Void,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        run = { operations in
            let start = ContinuousClock.now
            try await body(operations)
            return start.duration(to: .now)
        }
        self.close = close
    }

    /// Creates a session that times only part of its work.
    package static func timingItself(
        _ run: @escaping @Sendable (_ operations: Int) async throws -> Duration,
        close: @escaping @Sendable () async -> Void = {}
    ) -> Session {
        Session(run: run, close: close)
    }

    private init(
        run: @escaping @Sendable (_ operations: Int) async throws -> Duration,
        close: @escaping @Sendable () async -> Void
    ) {
        self.run = run
        self.close = close
    }
}
